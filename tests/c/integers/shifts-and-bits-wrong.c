//@ assert: unsafe
//@ because: a right shift of a negative number keeps the sign
//@ twin: shifts-and-bits.c

#include <assert.h>

int main(void) {
    int x = -8;
    assert(x >> 1 > 0);  // error: stays negative
    assert((unsigned)x >> 28 == 15);
    assert((x & 12) == 8 && (x | 1) == -7 && (x ^ x) == 0 && ~x == 7);
    int rotate = 3;
    rotate <<= 4;
    assert(rotate == 48);
}
