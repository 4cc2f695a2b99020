//@ assert: unsafe
//@ because: the mutex was taken by a thread that has ended, so unlocking it is refused
//@ twin: owner-is-another-checked.c

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m;

static void *takes(void *arg) {
    pthread_mutex_lock(&m);
    return arg;
}

static void *gives(void *arg) {
    assert(pthread_mutex_unlock(&m) == 0); // error: EPERM
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&m, &attr);
    pthread_create(&t, 0, takes, 0);
    pthread_join(t, 0);
    pthread_create(&t, 0, gives, 0);
    pthread_join(t, 0);
}
