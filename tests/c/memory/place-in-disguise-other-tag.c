//@ assert: safe

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

static uint64_t pack(int *p, unsigned tag) { return ((uint64_t)(uintptr_t)p << 16) | tag; }

int main(void) {
    int *p = malloc(4);
    uint64_t old = pack(p, 7);
    free(p);
    p = 0;
    int *q = malloc(4);
    assert(pack(q, 8) != old);
}
