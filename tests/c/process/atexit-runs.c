//@ assert: unsafe
//@ because: functions registered with atexit run after main
//@ twin: atexit-runs-last-first.c

#include <assert.h>
#include <stdlib.h>

static int n;

static void first(void) {
    assert(n == 3);  // error: second runs before
}
static void second(void) { n = n * 2; }

int main(void) {
    atexit(first);
    atexit(second);
    n = 3;
    return 0;
}
