//@ assert: unsafe
//@ because: exit runs the functions
//@ twin: atexit-skipped.c

#include <assert.h>
#include <stdlib.h>

#include <unistd.h>

static int n;

static void last(void) {
    assert(n != 1);  // error: main has set it
}

int main(void) {
    atexit(last);
    n = 1;
    exit(0);
}
