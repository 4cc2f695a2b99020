//@ assert: unsafe
//@ because: the handler has run
//@ twin: handler-runs-once.c
//@ open: explicit lazy

#include <assert.h>
#include <signal.h>

static int n;

static void handler(int number) { n = n + 1; }

int main(void) {
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    assert(n == 0);  // error: it is 1
    return 0;
}
