//@ assert: safe

#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(8);
    p[0] = 1;
    int *q = realloc(p, 4);
    assert(*q == 1);
}
