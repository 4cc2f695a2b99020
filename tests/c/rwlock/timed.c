//@ assert: safe

#include <assert.h>
#include <pthread.h>
#include <errno.h>
#include <time.h>

int main(void) {
    pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
    struct timespec soon = {0, 0};
    int r = pthread_rwlock_timedrdlock(&l, &soon);
    assert(r == 0 || r == ETIMEDOUT);
    if (r == 0) {
        pthread_rwlock_unlock(&l);
    }
    r = pthread_rwlock_timedwrlock(&l, &soon);
    assert(r == 0 || r == ETIMEDOUT);
}
