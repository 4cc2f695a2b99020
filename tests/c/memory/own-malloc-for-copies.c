//@ assert: unsafe
//@ because: strdup takes its block from the program's malloc
//@ twin: own-malloc-and-free.c

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static char pool[64];
static int used;

void *malloc(size_t n) {
    used = 1;
    return pool;
}

int main(void) {
    strdup("abc");
    assert(!used);  // error: it is
}
