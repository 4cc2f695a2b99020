//@ assert: safe

#include <assert.h>
#include <stdlib.h>

static int state;
__attribute__((destructor)) static void last(void) { assert(state == 2); }
static void earlier(void) { state = state + 1; }

int main(void) {
    atexit(earlier);
    state = 1;
    exit(0);
}
