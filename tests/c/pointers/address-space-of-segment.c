//@ assert: unsafe
//@ because: at the start of this segment of x86-64, which each thread has its own of, stands its address
//@ twin: address-space-plain.c
//@ open: explicit lazy

// Null is an address like others there; what a segment holds is not known here.

#include <assert.h>

int main(void) {
    volatile long __attribute__((address_space(257))) *start = 0;
    assert(*start == 0);
}
