//@ assert: unsafe
//@ because: a function that does not return may call exit, as errx does, which runs what atexit registered
//@ twin: atexit-on-errx.c

#include <assert.h>
#include <err.h>
#include <stdlib.h>

static int closed;

static void check(void) {
    assert(closed);   // error: it is not
}

int main(void) {
    atexit(check);
    closed = 0;
    errx(1, "bad");
}
