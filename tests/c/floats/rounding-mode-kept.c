//@ assert: safe

#include <assert.h>
#include <fenv.h>

int main(void) {
    volatile double a = 1, b = 3;
    double c = a / b;
    fegetround();
    assert(a / b == c);
}
