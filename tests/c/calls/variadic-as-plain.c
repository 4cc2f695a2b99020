//@ assert: unsafe
//@ because: on the machines at hand the call works, and its first variable argument is 2
//@ twin: variadic-by-its-type.c
//@ open: explicit lazy comus product
#include <assert.h>
#include <stdarg.h>
int second(int n, ...) {
	va_list list;
	va_start(list, n);
	int k = n == 0 ? 0 : va_arg(list, int);
	va_end(list);
	return k;
}
int main(void) {
	int (*p)() = (int (*)())second;
	assert(p(1, 2) != 2); // error:
}
