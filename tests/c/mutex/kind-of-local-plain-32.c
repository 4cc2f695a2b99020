//@ assert: safe
//@ args: --32

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    assert(0);
}
