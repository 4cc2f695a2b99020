//@ assert: safe

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
    memset(&expected, 0, sizeof expected);
    expected.c = -1;
    expected.i = -1;
    assert(!atomic_compare_exchange_strong(&object, &expected, desired));
}
