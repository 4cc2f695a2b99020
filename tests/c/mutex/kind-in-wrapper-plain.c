//@ assert: safe

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

struct pthread_mutex_wrapper { int id; pthread_mutex_t m; };

static struct pthread_mutex_wrapper w = {1, PTHREAD_MUTEX_INITIALIZER};

int main(void) {
    pthread_mutex_t *m = &w.m;
    pthread_mutex_lock(m);
    pthread_mutex_lock(m);
    assert(0);
}
