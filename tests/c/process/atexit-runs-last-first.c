//@ assert: safe

#include <assert.h>
#include <stdlib.h>

static int n;

static void first(void) { assert(n == 6); }
static void second(void) { n = n * 2; }

int main(void) {
    atexit(first);
    atexit(second);
    n = 3;
    return 0;
}
