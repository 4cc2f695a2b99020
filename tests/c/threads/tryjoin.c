//@ assert: safe
//@ open: explicit lazy comus product

// A function for threads that is not modelled is not taken to do nothing.

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static int g;

static void *worker(void *arg) {
    g = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    while (pthread_tryjoin_np(t, 0) != 0)
        ;
    assert(g == 1);
}
