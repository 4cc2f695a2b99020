//@ assert: unsafe
//@ because: attributes are bytes, too
//@ twin: kind-of-attributes-not-in-bytes.c

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutex_t m;
    pthread_mutexattr_init(&attributes);
    *(char *)&attributes = 1;
    pthread_mutex_init(&m, &attributes);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    assert(0);   // error: a recursive mutex can be locked twice
}
