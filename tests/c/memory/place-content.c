//@ assert: unsafe
//@ because: the content of a block is not that of the one that was there, nor zero as that was
//@ twin: place-content-zero.c

#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *p = calloc(1, 1);
    free(p);
    char *q = malloc(1);
    if (p == q)
        assert(*q == 0);                 // error: can fail
}
