//@ assert: unsafe
//@ because: getenv does not call the program's malloc, so that used stays 0
//@ twin: getenv-calls-no-malloc.c

#include <assert.h>
#include <stdlib.h>

static int used;

void *malloc(size_t n) {
    used = n > 0;
    return 0;
}

int main(void) {
    if (getenv("HOME") && getenv("HOME"))
        assert(used);                    // error: fails where the variable is set
}
