//@ assert: unsafe
//@ because: main looks before the thread has written
//@ twin: join-waits.c

#include <assert.h>
#include <pthread.h>

static int n;

static void *worker(void *arg) {
    n = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert(n == 1);              // error: can fail
}
