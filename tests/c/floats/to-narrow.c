//@ assert: safe

// What does not fit is what x86 gives: a conversion to int, of which the lowest bits are kept.

#include <assert.h>

int main(void) {
    volatile double d = -16777218.5, e = 300.5;
    assert((short)d == -2);
    assert((signed char)e == 44);
}
