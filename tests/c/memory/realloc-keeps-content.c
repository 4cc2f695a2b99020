//@ assert: safe

#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *p = malloc(2);
    p[0] = 'a';
    p[1] = 'b';
    p = realloc(p, 4);
    assert(p[0] == 'a' && p[1] == 'b');
    p[3] = 'd';
    p = realloc(p, 1);
    assert(p[0] == 'a');
    free(p);
    p = realloc(0, 3);
    free(p);
    free(0);
}
