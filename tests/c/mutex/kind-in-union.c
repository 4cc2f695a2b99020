//@ assert: unsafe
//@ because: the kind is written as another member of a union
//@ twin: kind-not-in-union.c

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static union { pthread_mutex_t m; int words[10]; } u;

int main(void) {
    u.words[4] = 1;
    pthread_mutex_lock(&u.m);
    pthread_mutex_lock(&u.m);
    assert(0);   // error: a recursive mutex can be locked twice
}
