//@ assert: safe
//@ by: comus product
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *leaves(void *arg)
{
    pthread_rwlock_wrlock(&lock);
    return arg;
}

// Another thread, though it may have the handle of the one that ended.
void *tries(void *arg)
{
    assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    pthread_rwlock_wrlock(&lock);
    assert(0);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, leaves, 0);
    pthread_join(t, 0);
    pthread_create(&t, 0, tries, 0);
    pthread_join(t, 0);
    return 0;
}
