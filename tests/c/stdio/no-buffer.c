//@ assert: safe

#include <assert.h>
#include <stdio.h>

static char buffer[64];

int main(void) {
    setvbuf(stdout, 0, _IONBF, 0);
    setbuf(stdin, 0);
    putchar('x');
    assert(buffer[0] == 0);
}
