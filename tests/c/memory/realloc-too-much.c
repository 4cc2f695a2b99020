//@ assert: unsafe
//@ because: no machine has a block of so many bytes
//@ twin: realloc-little.c
//@ open: explicit lazy

// The size stands before the block, and the sum of both must not wrap around.  What fails for want of memory is refused.

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    char *p = realloc(malloc(3), SIZE_MAX - 3);
    assert(p != 0);
}
