//@ assert: unsafe
//@ because: a function that is registered while others run is called too
//@ twin: atexit-registers.c

#include <assert.h>
#include <stdlib.h>

static int n;

static void added(void) {
    assert(n == 0);  // error: adds has set it
}
static void adds(void) {
    n = 1;
    atexit(added);
}

int main(void) {
    atexit(adds);
    return 0;
}
