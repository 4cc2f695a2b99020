//@ assert: unsafe
//@ because: what stands between the members of expected was never written, so the exchange may fail
//@ twin: exchange-with-known-padding.c

#include <assert.h>
#include <stdatomic.h>

struct pair {
    char c;
    int i;
};

_Atomic struct pair object;

int main(void) {
    struct pair expected, desired = {1, 1};
    expected.c = 0;
    expected.i = 0;
    assert(atomic_compare_exchange_strong(&object, &expected, desired));  // error: can fail
}
