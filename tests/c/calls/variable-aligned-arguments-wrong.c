//@ assert: unsafe
//@ because: the argument behind the vector is 7
//@ twin: variable-aligned-arguments.c
#include <assert.h>
#include <stdarg.h>
typedef int four __attribute__((vector_size(16)));
struct __attribute__((aligned(32))) wide {
	long a, b;
};
static void take(int n, ...) {
	va_list list;
	va_start(list, n);
	assert(va_arg(list, int) == 5);
	struct wide w = va_arg(list, struct wide);
	assert(w.a == 1 && w.b == 2);
	assert(va_arg(list, int) == 6);
	four v = va_arg(list, four);
	assert(v[0] == 1 && v[3] == 4);
	assert(va_arg(list, int) != 7); // error:
	va_end(list);
}
int main(void) {
	struct wide w = {1, 2};
	four v = {1, 2, 3, 4};
	take(0, 5, w, 6, v, 7);
}
