//@ assert: safe

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static char memory[40];
static void *place;

int main(void) {
    place = memory;
    memory[15] = 1;
    pthread_mutex_t *m = place;
    pthread_mutex_lock(m);
    pthread_mutex_lock(m);
    assert(0);
}
