//@ assert: safe

#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *p = malloc(0);
    assert(realloc(p, 3) != 0);
}
