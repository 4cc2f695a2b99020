//@ assert: safe
//@ open: explicit

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    char *aligned = aligned_alloc(16, 64);
    free(realloc(malloc(3), 9));
    assert(((uintptr_t)aligned & 15) == 0);
}
