//@ assert: unsafe
//@ because: the mutex is locked twice and unlocked once
//@ twin: recursive.c
//@ by: comus product

#include <assert.h>
#include <pthread.h>

static int n;
static pthread_mutex_t m;

static void *worker(void *arg) {
    if (pthread_mutex_trylock(&m) == 0) {
        n = 1;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &attr);
    assert(pthread_mutex_lock(&m) == 0);
    assert(pthread_mutex_lock(&m) == 0);
    assert(pthread_mutex_unlock(&m) == 0);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(n == 1);                      // error: always fails
}
