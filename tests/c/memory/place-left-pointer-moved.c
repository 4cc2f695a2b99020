//@ assert: safe

#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    int *q = malloc(sizeof *q);
    *q = 2;
    p = q;
    *p = 2;
    assert(*q == 2);
}
