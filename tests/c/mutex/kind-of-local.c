//@ assert: unsafe
//@ because: a local variable is recursive by its initialiser: the second lock succeeds
//@ twin: kind-of-local-plain.c

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    assert(0);
}
