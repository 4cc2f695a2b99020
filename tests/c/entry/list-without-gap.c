//@ assert: unsafe
//@ because: the functions run in order, each from its place next to that before
//@ twin: list-with-a-gap.c
#include <assert.h>
int n;
static void f(void) {
	n = 1;
}
static void g(void) {
	n = 2;
}
__attribute__((section(".init_array"), used, aligned(sizeof(void *)))) static void (*list[2])(void) = {f, g};
int main(void) {
	assert(n != 2); // error:
}
