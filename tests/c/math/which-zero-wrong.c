//@ assert: unsafe
//@ because: C does not say which of two zeros is the smaller, and libraries and compilers differ
//@ twin: which-zero.c
#include <assert.h>
#include <math.h>

int main(void) {
    assert(!signbit(fmin(0.0, -0.0)));  // error: it may be the negative one
    return 0;
}
