//@ assert: unsafe
//@ because: a new thread need not get the handle of one that was joined
//@ twin: handle-of-running.c
//@ open: lazy

#include <assert.h>
#include <pthread.h>

static void *thread(void *arg) {
    return arg;
}

int main(void) {
    pthread_t old, new;
    pthread_create(&old, 0, thread, 0);
    pthread_join(old, 0);
    pthread_create(&new, 0, thread, 0);
    assert(old == new);                // error: can fail
}
