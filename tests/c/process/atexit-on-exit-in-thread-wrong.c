//@ assert: unsafe
//@ because: exit in a thread runs the functions too
//@ twin: atexit-on-exit-in-thread.c

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int n;

static void last(void) {
    assert(n == 0);  // error: the worker has set it
}

static void *worker(void *arg) {
    n = 1;
    exit(0);
}

int main(void) {
    pthread_t t;
    atexit(last);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    n = 2;
    return 0;
}
