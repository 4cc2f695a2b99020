//@ assert: unsafe
//@ because: the routine has not been run, since the thread that did ended in the middle: not supported
//@ twin: exit-after-once.c
//@ open: explicit lazy comus product

#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void first(void) {
    pthread_exit(0);
}

static void second(void) {
    assert(0);
}

static void *worker(void *arg) {
    pthread_once(&once, first);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    pthread_once(&once, second);
}
