//@ assert: unsafe
//@ because: a block that shrinks may stay where it is
//@ twin: realloc-may-move.c

#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(8);
    p[0] = 1;
    int *q = realloc(p, 4);
    assert(p != q);  // error: it stayed
}
