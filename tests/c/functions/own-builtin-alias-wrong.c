//@ assert: unsafe
//@ because: floor is the program's own, by an alias
//@ twin: own-builtin-alias.c

#include <assert.h>

static double mine(double x) { return 9; }
double floor(double) __attribute__((alias("mine")));

int main(void) {
    volatile double d = 3.5;
    assert(floor(d) != 9); // error:
}
