//@ assert: unsafe
//@ because: strdup calls the program's malloc, also where that is an alias
//@ twin: own-malloc-alias.c

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static char pool[64];
static int used;

static void *mine(size_t n) {
    used++;
    return pool;
}
void *malloc(size_t) __attribute__((alias("mine")));

int main(void) {
    strdup("abc");
    assert(used == 0); // error:
}
