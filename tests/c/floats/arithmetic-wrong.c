//@ assert: unsafe
//@ because: 0.1 + 0.2 is not 0.3 in binary
//@ twin: arithmetic.c

#include <assert.h>
#include <math.h>

int main(void) {
    double a = 0.1, b = 0.2;
    assert(a + b == 0.3);  // error: a little more
    float f = 16777216.0f;
    assert(f + 1.0f == f);
    assert((int)3.99 == 3 && (int)-3.99 == -3);
    assert(7.5 / 2.5 == 3.0);
    double nan = 0.0 / (a - a);
    assert(nan != nan && !(nan < 1) && !(nan >= 1));
    assert(sqrt(2.25) == 1.5 && fabs(-2.0) == 2.0 && floor(-0.5) == -1.0);
    assert((unsigned char)200.7 == 200);
}
