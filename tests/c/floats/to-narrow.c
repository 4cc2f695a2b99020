//@ assert: safe

// What does not fit is what x86 gives: a conversion to int, of which the lowest bits are kept.

#include <assert.h>

int main(void) {
    volatile double d = -16777218.5, e = 300.5;
    assert((short)d == -2);
    assert((signed char)e == 44);
    volatile double f = 4294967297.0, g = -2.5;
    volatile float h = 3e9f;
    assert((unsigned char)f == 0 && (unsigned short)f == 0);
    assert((unsigned char)g == 254 && (unsigned short)g == 65534);
    assert((unsigned short)h == 0);
}
