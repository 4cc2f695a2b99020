//@ assert: safe

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *writer(void *arg) {
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(void) {
    pthread_t t;
    struct timespec soon = {0, 0};
    pthread_create(&t, 0, writer, 0);
    int r = pthread_rwlock_timedrdlock(&l, &soon);
    assert(r == 0 || r == ETIMEDOUT);
    if (r == 0) {
        pthread_rwlock_unlock(&l);
    }
    r = pthread_rwlock_timedwrlock(&l, &soon);
    assert(r == 0 || r == ETIMEDOUT);
}
