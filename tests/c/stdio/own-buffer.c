//@ assert: unsafe
//@ because: the buffer belongs to the file, which writes to it: not supported
//@ twin: no-buffer.c
//@ open: explicit lazy comus product

#include <assert.h>
#include <stdio.h>

static char buffer[64];

int main(void) {
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    putchar('x');
    assert(buffer[0] == 0);
}
