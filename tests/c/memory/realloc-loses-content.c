//@ assert: unsafe
//@ because: the first bytes of the new block are those of the old one
//@ twin: realloc-keeps-content.c

#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *p = malloc(2);
    p[0] = 'a';
    p[1] = 'b';
    p = realloc(p, 4);
    assert(p[0] == 'a' && p[1] == 'c');  // error: always fails
    p[3] = 'd';
    p = realloc(p, 1);
    assert(p[0] == 'a');
    free(p);
    p = realloc(0, 3);
    free(p);
    free(0);
}
