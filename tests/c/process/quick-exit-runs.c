//@ assert: unsafe
//@ because: quick_exit runs the functions registered for it
//@ twin: quick-exit-runs-its-own.c

#include <assert.h>
#include <stdlib.h>

static int n;

static void plain(void) { n = 5; }
static void quick(void) {
    assert(n == 0);  // error: it is 1
}

int main(void) {
    atexit(plain);
    at_quick_exit(quick);
    n = 1;
    quick_exit(0);
}
