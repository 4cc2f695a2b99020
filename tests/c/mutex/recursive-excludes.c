//@ assert: safe
//@ by: comus product

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static int n;
static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void add(void) {
    pthread_mutex_lock(&m);
    n = n + 1;
    pthread_mutex_unlock(&m);
}

static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    add();
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 2);
}
