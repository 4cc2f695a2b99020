//@ assert: unsafe
//@ because: what has a name like a mutex is not one: the mutex is within it
//@ twin: kind-in-wrapper-plain.c

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

struct pthread_mutex_wrapper { int id; pthread_mutex_t m; };

static struct pthread_mutex_wrapper w = {1, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};

int main(void) {
    pthread_mutex_t *m = &w.m;
    pthread_mutex_lock(m);
    pthread_mutex_lock(m);
    assert(0);   // error: a recursive mutex can be locked twice
}
