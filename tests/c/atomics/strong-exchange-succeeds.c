//@ assert: safe

#include <assert.h>
#include <stdatomic.h>

static atomic_int x;

int main(void) {
    int expected = 0;
    assert(atomic_compare_exchange_strong(&x, &expected, 1));  // error: it may fail although the values agree
    return 0;
}
