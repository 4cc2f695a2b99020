//@ assert: unsafe
//@ because: destructors run when the last thread has ended
//@ twin: destructors-after-last-thread.c

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int state;
__attribute__((destructor)) static void last(void) {
    assert(state == 0);  // error: the worker has run
}

static void *worker(void *arg) {
    state = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_exit(0);
}
