//@ assert: safe
//@ args: --32
// Each argument is where `va_arg` looks for it, though what stands before it leaves a gap.
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
	assert(va_arg(list, int) == 7);
	va_end(list);
}
int main(void) {
	struct wide w = {1, 2};
	four v = {1, 2, 3, 4};
	take(0, 5, w, 6, v, 7);
}
