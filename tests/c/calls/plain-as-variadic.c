//@ assert: unsafe
//@ because: on the machines at hand the call works, and gives 6
//@ twin: through-pointer-enough.c
//@ open: explicit lazy comus product
#include <assert.h>
int mul(int a, int b) {
	return a * b;
}
int main(void) {
	int (*p)(int, ...) = (int (*)(int, ...))mul;
	assert(p(2, 3) != 6); // error:
}
