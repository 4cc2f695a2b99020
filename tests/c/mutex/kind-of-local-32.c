//@ assert: unsafe
//@ because: a local variable is copied from a constant of which only the bytes are known
//@ twin: kind-of-local-plain-32.c
//@ args: --32

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    assert(0);   // error: a recursive mutex can be locked twice
}
