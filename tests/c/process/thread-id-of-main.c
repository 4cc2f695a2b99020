//@ assert: safe
//@ open: explicit

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static void *worker(void *arg) {
    assert(gettid() != getpid() && gettid() > 0);
    return 0;
}

int main(void) {
    pthread_t t;
    assert(gettid() == getpid());
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
}
