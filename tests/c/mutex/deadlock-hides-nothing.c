//@ assert: unsafe
//@ because: the locks are taken in the same order, so the end is reached
//@ twin: deadlock-hides-assert.c

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    assert(0);                           // error: always fails
}
