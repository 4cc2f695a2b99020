//@ assert: safe

#include <assert.h>
#include <pthread.h>
#include <errno.h>

static void *worker(void *arg) {
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert(pthread_join(t, 0) == 0);
    assert(pthread_join(pthread_self(), 0) == EDEADLK);
    pthread_create(&t, 0, worker, 0);
    assert(pthread_detach(t) == 0);
}
