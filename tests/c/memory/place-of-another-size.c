//@ assert: safe

#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    free(p);
    int *q = malloc(64 * sizeof *q);
    assert(p != q);
}
