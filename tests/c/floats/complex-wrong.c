//@ assert: unsafe
//@ because: i times i is -1
//@ twin: complex.c

#include <assert.h>
#include <complex.h>

int main(void) {
    double complex i = I;
    double complex square = i * i;
    assert(creal(square) == 1.0);  // error: it is -1
    float complex sum = 1.0f + 2.0f * I;
    sum += 3.0f;
    assert(crealf(sum) == 4.0f && cimagf(sum) == 2.0f);
}
