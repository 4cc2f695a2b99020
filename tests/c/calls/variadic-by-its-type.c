//@ assert: safe
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
	int (*p)(int, ...) = second;
	assert(p(1, 2) == 2 && p(0) == 0);
}
