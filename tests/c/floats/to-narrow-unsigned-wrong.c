//@ assert: unsafe
//@ because: x86 converts to an int, which this does not fit into, and keeps the lowest bits
//@ twin: to-narrow.c

#include <assert.h>

int main(void) {
    volatile double d = 4294967297.0;
    assert((unsigned char)d == 1);  // error: is 0
}
