//@ assert: safe

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m[1100] = {[1050] = PTHREAD_MUTEX_INITIALIZER};

int main(void) {
    pthread_mutex_lock(&m[1050]);
    pthread_mutex_lock(&m[1050]);
    assert(0);
}
