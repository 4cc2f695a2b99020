//@ assert: safe
#include <assert.h>
#include <stdlib.h>
static int compare(const void *a, const void *b) {
	return *(int *)a - *(int *)b;
}
int main(void) {
	int a[3] = {1, 2, 3}, k = 1;
	assert(bsearch(&k, a, 3, sizeof(int), compare) == a);
}
