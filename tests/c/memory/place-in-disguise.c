//@ assert: unsafe
//@ because: the new block may be where the freed one was, whose address was kept with a tag
//@ twin: place-in-disguise-other-tag.c

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
    assert(pack(q, 7) != old); // error: the same place
}
