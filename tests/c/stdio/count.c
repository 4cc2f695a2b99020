//@ assert: unsafe
//@ because: how many characters are written is not known
//@ twin: count-ignored.c

#include <assert.h>
#include <stdio.h>

int main(void) {
    int n = printf("hello\n");
    assert(n != 1);   // error: it may be
}
