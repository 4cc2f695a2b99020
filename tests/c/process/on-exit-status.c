//@ assert: safe

#include <assert.h>
#include <stdlib.h>

extern int on_exit(void (*)(int, void *), void *);
static int x;

static void last(int status, void *arg) { assert(status == 7 && arg == &x); }

int main(void) {
    on_exit(last, &x);
    return 7;
}
