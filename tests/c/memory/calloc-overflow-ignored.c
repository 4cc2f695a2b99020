//@ assert: unsafe
//@ because: a product that does not fit gives null
//@ twin: calloc-overflow.c

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    char *p = calloc(SIZE_MAX / 2, 4);
    assert(p != 0);                      // error: always fails
}
