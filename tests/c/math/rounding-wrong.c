//@ assert: unsafe
//@ because: round goes away from zero at halves
//@ twin: rounding.c

#include <assert.h>
#include <math.h>

int main(void) {
    volatile double x = 2.5, y = -2.5;
    assert(floor(x) == 2 && ceil(x) == 3 && trunc(y) == -2 && fabs(y) == 2.5);
    assert(round(x) == 3 && round(y) == -2);  // error: always fails
    assert(rint(x) == 2 && sqrt(x + 1.5) == 2 && fmin(x, y) == y && fmax(x, y) == x);
    assert(fmod(7.5, x) == 0 && copysign(x, y) == y && lround(x) == 3);
}
