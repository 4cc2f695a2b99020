//@ assert: safe

#include <assert.h>
#include <stdatomic.h>

static int x = 3;

int main(void) {
    int expected = 3;
    int done = __atomic_compare_exchange_n(&x, &expected, 4, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    assert(expected == 3);
    assert(x == (done ? 4 : 3));  // error: it may have failed
    return 0;
}
