//@ assert: unsafe
//@ because: the input may be anything, and may end
//@ twin: input-is-any.c

#include <assert.h>
#include <stdio.h>

int main(void) {
    int c = getchar();
    printf("%d\n", c);
    puts("done");
    assert(c == 'y');                // error: can fail
}
