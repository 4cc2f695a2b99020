//@ assert: safe

// What can be taken at once is taken, however late it is.

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static sem_t s;

int main(void) {
    struct timespec late = {0, 0};
    sem_init(&s, 0, 1);
    assert(pthread_mutex_timedlock(&m, &late) == 0);
    assert(pthread_rwlock_timedrdlock(&l, &late) == 0);
    pthread_rwlock_unlock(&l);
    assert(pthread_rwlock_timedwrlock(&l, &late) == 0);
    assert(sem_timedwait(&s, &late) == 0);
}
