//@ assert: safe

#include <assert.h>

struct wide {
    long a, b, c;
};

int main(void) {
    struct wide x = {1, 2, 3}, expected = {1, 2, 3}, desired = {4, 5, 6};
    assert(__atomic_compare_exchange(&x, &expected, &desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    assert(x.c == 6);
    assert(!__atomic_compare_exchange(&x, &expected, &desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    assert(expected.b == 5);
}
