//@ assert: unsafe
//@ because: the bytes of an item that does not come completely are stored
//@ twin: items-read.c

#include <assert.h>
#include <stdio.h>

int main(void) {
    short x = 7;
    if (fread(&x, sizeof x, 1, stdin) == 0)
        assert(x == 7);  // error: one byte may have come
}
