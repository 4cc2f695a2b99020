//@ assert: safe

#include <assert.h>
#include <stdio.h>

int main(void) {
    assert(puts("x") >= EOF && fputs("x", stdout) >= EOF);
    assert(setvbuf(stdout, 0, 77, 0) != 0);
}
