//@ assert: unsafe
//@ because: the quotient is cut off towards zero
//@ twin: quotient.c
#include <assert.h>
#include <stdlib.h>
int main(void) {
	div_t d = div(7, -2);
	assert(d.quot == -4); // error:
}
