//@ assert: safe

#include <assert.h>

int main(void) {
    int r;
    assert(__builtin_add_overflow(2147483647, 1, &r) && r == -2147483647 - 1);
    assert(!__builtin_sub_overflow(5, 7, &r) && r == -2);
    unsigned long product;
    assert(__builtin_mul_overflow(1ul << 40, 1ul << 40, &product));
    assert(!__builtin_mul_overflow(1ul << 20, 1ul << 20, &product) && product == 1ul << 40);
}
