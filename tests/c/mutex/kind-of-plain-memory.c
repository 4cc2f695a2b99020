//@ assert: unsafe
//@ because: that it is a mutex is told only by its use
//@ twin: kind-of-plain-memory-normal.c

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static char memory[40] = {[16] = 1};

int main(void) {
    pthread_mutex_t *m = (pthread_mutex_t *)memory;
    pthread_mutex_lock(m);
    pthread_mutex_lock(m);
    assert(0);   // error: a recursive mutex can be locked twice
}
