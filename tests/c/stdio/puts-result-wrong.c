//@ assert: unsafe
//@ because: it may fail
//@ twin: puts-result.c

#include <assert.h>
#include <stdio.h>

int main(void) {
    assert(puts("x") >= 0);              // error: EOF
}
