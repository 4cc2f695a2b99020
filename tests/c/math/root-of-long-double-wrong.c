//@ assert: unsafe
//@ because: the root of 1.5 is this number
//@ twin: root-of-long-double.c
#include <assert.h>
#include <math.h>
int main(void) {
	assert(sqrtl(1.5L) != 0x9.cc470a0490973e8p-3L); // error:
	assert(sqrtl(2.0L) == 1.41421356237309504880L);
	assert(sqrtl(1e4000L) == 1e2000L);
	assert(sqrtl(0x1p-16445L) == 0x1.6a09e667f3bcc908p-8223L);
	assert(sqrtl(0) == 0 && sqrtl(-1) != sqrtl(-1) && sqrtl(INFINITY) == INFINITY);
	assert((double)sqrtl(3) == sqrt(3) && sqrtl(3) != sqrt(3));
}
