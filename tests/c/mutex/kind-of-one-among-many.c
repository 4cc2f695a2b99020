//@ assert: unsafe
//@ because: the only one that is recursive is far behind the others
//@ twin: kind-of-one-among-many-plain.c

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m[1100] = {[1050] = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};

int main(void) {
    pthread_mutex_lock(&m[1050]);
    pthread_mutex_lock(&m[1050]);
    assert(0);   // error: a recursive mutex can be locked twice
}
