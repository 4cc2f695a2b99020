//@ assert: safe

#include <assert.h>
#include <stdlib.h>

static int up(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int down(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }
static int (*const order[2])(const void *, const void *) = {up, down};

int main(void) {
    int v[3] = {2, 3, 1};
    for (int i = 0; i < 2; i++) {
        qsort(v, 3, sizeof v[0], order[i]);
    }
    assert(v[0] == 3 && v[1] == 2 && v[2] == 1);
}
