//@ assert: unsafe
//@ because: exit runs destructors, after the functions of atexit
//@ twin: destructors-on-exit.c

#include <assert.h>
#include <stdlib.h>

static int state;
__attribute__((destructor)) static void last(void) {
    assert(state == 0);  // error: it is 2
}
static void earlier(void) { state = state + 1; }

int main(void) {
    atexit(earlier);
    state = 1;
    exit(0);
}
