//@ assert: unsafe
//@ because: without the mutex the other thread comes between
//@ twin: recursive-excludes.c

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static int n;
static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void add(void) {
    n = n + 1;
}

static void *worker(void *arg) {
    add();
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 2);                      // error: can fail
}
