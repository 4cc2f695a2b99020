//@ assert: safe

#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

int main(void) {
    struct timespec now = {0, 0};
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
    sem_t semaphore;
    assert(clock_nanosleep(77, 0, &now, 0) == EINVAL);
    assert(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &now, 0) == EINVAL);
    assert(clock_nanosleep(CLOCK_MONOTONIC_COARSE, 0, &now, 0) == ENOTSUP);
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &now, 0) == 0);
    assert(pthread_mutex_clocklock(&mutex, 77, &now) == EINVAL);
    assert(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &now) == 0);
    assert(pthread_cond_clockwait(&cond, &mutex, 77, &now) == EINVAL);
    assert(pthread_rwlock_clockrdlock(&lock, 77, &now) == EINVAL);
    assert(pthread_rwlock_clockwrlock(&lock, CLOCK_PROCESS_CPUTIME_ID, &now) == EINVAL);
    sem_init(&semaphore, 0, 1);
    assert(sem_clockwait(&semaphore, 77, &now) == -1 && errno == EINVAL);
    assert(sem_clockwait(&semaphore, CLOCK_REALTIME, &now) == 0);
}
