//@ assert: unsafe
//@ because: glibc refuses with EBUSY to destroy a locked mutex
//@ twin: destroy-of-locked-is-refused.c

#include <assert.h>
#include <pthread.h>
#include <errno.h>

int main(void) {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&m);
    assert(pthread_mutex_destroy(&m) == 0);  // error: always fails
    pthread_mutex_unlock(&m);
    assert(pthread_mutex_destroy(&m) == 0);
}
