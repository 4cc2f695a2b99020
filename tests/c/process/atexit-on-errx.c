//@ assert: safe

#include <assert.h>
#include <err.h>
#include <stdlib.h>

static int closed;

static void check(void) {
    assert(closed);
}

int main(void) {
    atexit(check);
    closed = 1;
    errx(1, "bad");
}
