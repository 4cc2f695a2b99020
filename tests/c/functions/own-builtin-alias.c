//@ assert: safe

#include <assert.h>

static double mine(double x) { return 9; }
double floor(double) __attribute__((alias("mine")));

int main(void) {
    volatile double d = 3.5;
    assert(floor(d) == 9);
}
