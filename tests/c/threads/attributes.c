//@ assert: safe

#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
    pthread_barrierattr_t barrier;
    pthread_rwlockattr_t lock;
    pthread_mutexattr_t mutex;
    pthread_attr_t thread;
    struct sched_param priority = {5};
    struct timespec time;
    char *end;
    pthread_barrierattr_init(&barrier);
    pthread_rwlockattr_init(&lock);
    pthread_mutexattr_init(&mutex);
    pthread_attr_init(&thread);
    assert(pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_barrierattr_setpshared(&barrier, 77) == EINVAL);
    assert(pthread_rwlockattr_setpshared(&lock, 77) == EINVAL);
    assert(pthread_rwlockattr_setkind_np(&lock, 77) == EINVAL);
    assert(pthread_mutexattr_setprioceiling(&mutex, -5) == EINVAL);
    assert(pthread_mutexattr_setprioceiling(&mutex, 1) == 0);
    assert(pthread_attr_setinheritsched(&thread, 77) == EINVAL);
    assert(pthread_attr_setstack(&thread, &time, 64) == EINVAL);
    assert(pthread_attr_setschedparam(&thread, &priority) == EINVAL);
    assert(pthread_attr_setschedpolicy(&thread, SCHED_FIFO) == 0);
    assert(pthread_attr_setschedparam(&thread, &priority) == 0);
    assert(clock_gettime(77, &time) == -1 && errno == EINVAL);
    errno = 0;
    assert(strtol("12", &end, 1) == 0 && errno == EINVAL);
}
