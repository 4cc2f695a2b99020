//@ assert: unsafe
//@ because: the function computes a number, only not here
//@ twin: rounding.c
//@ open: explicit lazy comus product
#include <assert.h>
#include <math.h>
double one = 1;
int main(void) {
	assert(ldexp(one, 3) != 8); // error:
}
