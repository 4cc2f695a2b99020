//@ assert: safe

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
    assert(thrd_detach(t) == thrd_success);
    assert(thrd_join(t, 0) == thrd_error);
    assert(thrd_detach(t) == thrd_error);
}
