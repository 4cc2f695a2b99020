//@ assert: unsafe
//@ because: thrd_join refuses a detached thread with thrd_error, as in glibc
//@ twin: join-of-detached-refused.c

#include <assert.h>
#include <threads.h>

static int worker(void *arg) {
    for (;;) {
    }
    return 0;
}

int main(void) {
    thrd_t t;
    thrd_create(&t, worker, 0);
    thrd_detach(t);
    assert(thrd_join(t, 0) == thrd_success);  // error: always fails
}
