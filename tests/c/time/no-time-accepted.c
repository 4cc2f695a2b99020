//@ assert: unsafe
//@ because: what has a milliard nanoseconds is no time, and is refused
//@ twin: no-time.c

#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static sem_t s;

int main(void) {
    struct timespec time = {0, 1000000000};
    sem_init(&s, 0, 0);
    assert(pthread_mutex_timedlock(&m, &time) == 0);
    int r = pthread_mutex_timedlock(&m, &time);
    assert(r == ETIMEDOUT || r == EINVAL);
    assert(pthread_cond_timedwait(&c, &m, &time) != EINVAL);  // error: always fails
    assert(pthread_rwlock_timedrdlock(&l, &time) != EINVAL);
    assert(sem_timedwait(&s, &time) == -1 && errno != EINVAL);
    assert(nanosleep(&time, 0) == 0);
}
