//@ assert: safe

#include <assert.h>
#include <string.h>

static char pool[64];
static int used;

static void *malloc(size_t n) {
    used = 1;
    return pool;
}

int main(void) {
    strdup("abc");
    assert(!used);
    malloc(1);
    assert(used);
}
