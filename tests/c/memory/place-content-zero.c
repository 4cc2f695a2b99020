//@ assert: safe

#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *p = malloc(1);
    *p = 1;
    free(p);
    char *q = calloc(1, 1);
    if (p == q)
        assert(*q == 0);
}
