//@ assert: safe

#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *p = calloc(2, sizeof *p);
    assert(p != 0);
    assert(p[1] == 0);
    free(p);
}
