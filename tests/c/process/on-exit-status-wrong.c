//@ assert: unsafe
//@ because: the function gets what main returns
//@ twin: on-exit-status.c

#include <assert.h>
#include <stdlib.h>

extern int on_exit(void (*)(int, void *), void *);
static int x;

static void last(int status, void *arg) {
    assert(status == 0);  // error: it is 7
}

int main(void) {
    on_exit(last, &x);
    return 7;
}
