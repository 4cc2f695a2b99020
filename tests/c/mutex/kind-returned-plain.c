//@ assert: safe

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t make(void) { return (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; }

int main(void) {
    pthread_mutex_t m = make();
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    assert(0);
}
