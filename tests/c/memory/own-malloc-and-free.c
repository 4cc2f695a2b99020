//@ assert: safe

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static char pool[64];

void *malloc(size_t n) {
    return n < 5 ? pool : 0;
}

void free(void *p) {
    assert(p == pool);
}

int main(void) {
    char *copy = strdup("abc");
    assert(strcmp(pool, "abc") == 0);
    free(copy);
    assert(strndup("defghi", 5) == 0);
}
