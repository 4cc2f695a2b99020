//@ assert: unsafe
//@ because: what is rounded up is larger: other ways to round are not supported
//@ twin: rounding-mode-kept.c
//@ open: explicit lazy comus product

#include <assert.h>
#include <fenv.h>

int main(void) {
    volatile double a = 1, b = 3;
    double c = a / b;
    fesetround(FE_UPWARD);
    assert(a / b == c);
}
