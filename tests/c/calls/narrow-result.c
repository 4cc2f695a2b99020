//@ assert: unsafe
//@ because: the least number is found: the function extends the sign of what it returns
//@ twin: wide-result.c
//@ open: explicit lazy comus product
#include <assert.h>
#include <stdlib.h>
static signed char compare(const void *a, const void *b) {
	return *(int *)a - *(int *)b;
}
int main(void) {
	int a[3] = {1, 2, 3}, k = 1;
	assert(bsearch(&k, a, 3, sizeof(int), (int (*)(const void *, const void *))compare) != a); // error:
}
