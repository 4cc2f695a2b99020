//@ assert: safe
// More arguments than there are parameters are not looked at.
#include <assert.h>
int second(int a, int b) {
	return b;
}
int main(void) {
	int (*p)() = (int (*)())second;
	assert(p(1, 2) == 2);
	assert(p(1, 2, 3) == 2);
}
