//@ assert: unsafe
//@ because: the pointer that is left points into the new block
//@ twin: place-left-pointer-moved.c

#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    int *q = malloc(sizeof *q);
    *q = 2;
    *p = 3;
    assert(*q == 2);                     // error: can fail
}
