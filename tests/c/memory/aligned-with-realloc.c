//@ assert: safe
//@ open: explicit lazy

// Blocks begin 16 bytes into their objects here, so an alignment to more is refused.

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    char *aligned = aligned_alloc(64, 64);
    free(realloc(malloc(3), 9));
    assert(((uintptr_t)aligned & 63) == 0);
}
