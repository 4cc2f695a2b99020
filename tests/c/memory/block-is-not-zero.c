//@ assert: unsafe
//@ because: malloc gives any content, calloc zeros
//@ twin: block-of-zeros.c

#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(2 * sizeof *p);
    assert(p != 0);
    assert(p[1] == 0);                   // error: can fail
    free(p);
}
