//@ assert: unsafe
//@ because: both threads may read n before either writes it
//@ twin: lost-update-locked.c

#include <assert.h>
#include <threads.h>

static int n;
static mtx_t m;

static int worker(void *arg) {
    n = n + 1;
    return 0;
}

int main(void) {
    thrd_t a, b;
    mtx_init(&m, mtx_plain);
    thrd_create(&a, worker, 0);
    thrd_create(&b, worker, 0);
    thrd_join(a, 0);
    thrd_join(b, 0);
    mtx_destroy(&m);
    assert(n == 2);                      // error: can fail
}
