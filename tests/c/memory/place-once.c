//@ assert: safe

#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *a = malloc(sizeof *a);
    int *b = malloc(sizeof *b);
    free(a);
    free(b);
    int *c = malloc(sizeof *c);
    int *d = malloc(sizeof *d);
    assert(!(a == d && a == c));
}
