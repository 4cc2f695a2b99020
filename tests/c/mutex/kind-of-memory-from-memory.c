//@ assert: unsafe
//@ because: that it is a mutex is told only by its use, far from where it is made
//@ twin: kind-of-memory-from-memory-normal.c

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static char memory[40];
static void *place;

int main(void) {
    place = memory;
    memory[16] = 1;
    pthread_mutex_t *m = place;
    pthread_mutex_lock(m);
    pthread_mutex_lock(m);
    assert(0);   // error: a recursive mutex can be locked twice
}
