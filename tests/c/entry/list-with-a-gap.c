//@ assert: safe
//@ open: explicit lazy comus product
// clang aligns arrays of 16 bytes and more to 16 bytes: the program calls the null pointer in the gap and ends.
#include <assert.h>
int n;
static void f(void) {
	n = 1;
}
static void g(void) {
	n = 2;
}
__attribute__((section(".init_array"), used)) static void (*list[2])(void) = {f, g};
int main(void) {
	assert(n != 2);
}
