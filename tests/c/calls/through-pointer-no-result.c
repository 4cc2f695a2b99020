//@ assert: unsafe
//@ because: the function returns nothing
//@ twin: through-pointer-enough.c
//@ open: explicit lazy comus product
#include <assert.h>
int k;
int five(void) {
	return 5;
}
void f(void) {
	k = five();
}
int main(void) {
	int (*p)(void) = (int (*)(void))f;
	assert(p() == 0); // error:
}
