//@ assert: unsafe
//@ because: main has ended, so the end of the worker is that of the program
//@ twin: atexit-of-last-thread.c

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int n;

static void last(void) {
    assert(n == 0);  // error: the worker has run
}

static void *worker(void *arg) {
    n = n + 1;
    return 0;
}

int main(void) {
    pthread_t t;
    atexit(last);
    pthread_create(&t, 0, worker, 0);
    pthread_exit(0);
}
