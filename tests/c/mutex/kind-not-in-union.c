//@ assert: safe

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static union { pthread_mutex_t m; int words[10]; } u;

int main(void) {
    u.words[3] = 1;
    pthread_mutex_lock(&u.m);
    pthread_mutex_lock(&u.m);
    assert(0);
}
