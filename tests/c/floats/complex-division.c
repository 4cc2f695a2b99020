//@ assert: safe
//@ because: clang makes a call of division, which is not modelled
//@ open: explicit lazy comus product

#include <assert.h>
#include <complex.h>

int main(void) {
    volatile double complex a = 4, b = 2;
    assert(creal(a / b) == 2);
}
