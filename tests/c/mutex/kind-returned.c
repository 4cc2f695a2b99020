//@ assert: unsafe
//@ because: a mutex that a function returns is written through a pointer that says nothing about it
//@ twin: kind-returned-plain.c

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t make(void) { return (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; }

int main(void) {
    pthread_mutex_t m = make();
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    assert(0);   // error: a recursive mutex can be locked twice
}
