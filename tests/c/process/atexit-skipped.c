//@ assert: safe

#include <assert.h>
#include <stdlib.h>

#include <unistd.h>

static int n;

static void last(void) {
    assert(n != 1);
}

int main(void) {
    atexit(last);
    n = 1;
    _exit(0);
}
