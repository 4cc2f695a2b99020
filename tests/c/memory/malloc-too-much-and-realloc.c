//@ assert: unsafe
//@ because: no machine has a block of so many bytes
//@ twin: malloc-little-and-realloc.c
//@ open: explicit lazy

// As realloc-too-much.c: the sum of 16 and the size must not wrap around, also where only another call is realloc.

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    char *p = malloc(SIZE_MAX - 15);
    assert(realloc(p, 3) != 0);
}
