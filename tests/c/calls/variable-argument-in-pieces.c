//@ assert: unsafe
//@ because: the argument is 1
//@ twin: variable-aligned-arguments.c
//@ open: explicit lazy comus product
// Nothing tells the halves of an `__int128` from two arguments, which are not aligned to 16 bytes.
#include <assert.h>
#include <stdarg.h>
static void take(int n, ...) {
	va_list list;
	va_start(list, n);
	assert(va_arg(list, int) == 5);
	assert(va_arg(list, __int128) != 1); // error:
	va_end(list);
}
int main(void) {
	take(0, 5, (__int128)1, 0L, 0L);
}
