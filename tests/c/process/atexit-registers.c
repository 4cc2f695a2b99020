//@ assert: safe
//@ by: comus

#include <assert.h>
#include <stdlib.h>

static int n;

static void added(void) { assert(n == 1); }
static void adds(void) {
    n = 1;
    atexit(added);
}

int main(void) {
    atexit(adds);
    return 0;
}
