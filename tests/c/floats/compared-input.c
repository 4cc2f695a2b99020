//@ assert: safe
//@ open: explicit
// Comparisons look at the bits of numbers and compute nothing: they can be followed for all inputs.

#include <assert.h>
#include <math.h>

extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float();
    if (a < b)
        assert(!(b < a) && a != b && a <= b && a == a);
    if (isnan(a))
        assert(!(a <= b) && !(b <= a) && a != b);
    else
        assert(a < b || b < a || a == b || isnan(b));
    double c = __VERIFIER_nondet_double();
    if (fabs(c) < 1.0)
        assert(-1.0 < c && c < 1.0);
}
