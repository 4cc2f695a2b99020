//@ assert: safe
#include <assert.h>
#include <math.h>

int main(void) {
    double least = fmin(0.0, -0.0);
    assert(least == 0 && fmin(1.0, 2.0) == 1 && fmax(NAN, 2.0) == 2);
    float most = fmaxf(-0.0f, 0.0f);
    assert(most == 0);
    return 0;
}
