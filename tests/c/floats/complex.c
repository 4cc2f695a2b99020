//@ assert: safe

#include <assert.h>
#include <complex.h>

int main(void) {
    double complex i = I;
    double complex square = i * i;
    assert(creal(square) == -1.0 && cimag(square) == 0.0);
    float complex sum = 1.0f + 2.0f * I;
    sum += 3.0f;
    assert(crealf(sum) == 4.0f && cimagf(sum) == 2.0f);
}
