//@ assert: safe

#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *p = realloc(malloc(0), 3);
    assert(p != 0);
}
