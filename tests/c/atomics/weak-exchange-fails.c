//@ assert: unsafe
//@ because: a weak compare-exchange may fail spuriously
//@ twin: strong-exchange-succeeds.c

#include <assert.h>
#include <stdatomic.h>

static atomic_int x;

int main(void) {
    int expected = 0;
    assert(atomic_compare_exchange_weak(&x, &expected, 1));  // error: it may fail although the values agree
    return 0;
}
