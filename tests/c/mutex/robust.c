//@ assert: unsafe
//@ because: who locks after the owner has ended gets EOWNERDEAD: robust mutexes are not supported
//@ twin: attributes.c
//@ open: explicit lazy comus product

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m;

static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &attr);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(pthread_mutex_lock(&m) == 0);
}
