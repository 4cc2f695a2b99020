//@ assert: unsafe
//@ because: the other thread may have the mutex until it is too late
//@ twin: timed-where-free.c

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    struct timespec late = {0, 0};
    pthread_create(&t, 0, worker, 0);
    assert(pthread_mutex_timedlock(&m, &late) == 0);
}
