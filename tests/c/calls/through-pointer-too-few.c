//@ assert: unsafe
//@ because: nobody gives the function its second argument
//@ twin: through-pointer-enough.c
//@ open: explicit lazy comus product
#include <assert.h>
int second(int a, int b) {
	return b;
}
int main(void) {
	int (*p)() = (int (*)())second;
	assert(p(1) == 0); // error:
}
