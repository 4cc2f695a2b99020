//@ assert: safe

#include <assert.h>
#include <pthread.h>
#include <errno.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *worker(void *arg) {
    assert(pthread_rwlock_tryrdlock(&l) == EBUSY);
    assert(pthread_rwlock_trywrlock(&l) == EBUSY);
    return arg;
}

int main(void) {
    pthread_t t;
    assert(pthread_rwlock_rdlock(&l) == 0);
    assert(pthread_rwlock_tryrdlock(&l) == 0);
    assert(pthread_rwlock_trywrlock(&l) == EBUSY);
    assert(pthread_rwlock_unlock(&l) == 0);
    assert(pthread_rwlock_unlock(&l) == 0);
    assert(pthread_rwlock_wrlock(&l) == 0);
    assert(pthread_rwlock_wrlock(&l) == EDEADLK);
    assert(pthread_rwlock_rdlock(&l) == EDEADLK);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(pthread_rwlock_unlock(&l) == 0);
}
