//@ assert: unsafe
//@ because: object and expected value agree in all bytes, so the exchange succeeds
//@ twin: exchange-compares-cleared-padding.c

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

struct pair {
    char c;
    int i;
};

_Atomic struct pair object;

int main(void) {
    struct pair expected, desired = {1, 1};
    memset((void *)&object, 0xff, sizeof object);
    memset(&expected, 0xff, sizeof expected);
    assert(!atomic_compare_exchange_strong(&object, &expected, desired));  // error: succeeds
}
