//@ assert: safe

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static char memory[40] = {[15] = 1};

int main(void) {
    pthread_mutex_t *m = (pthread_mutex_t *)memory;
    pthread_mutex_lock(m);
    pthread_mutex_lock(m);
    assert(0);
}
