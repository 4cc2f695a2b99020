//@ assert: unsafe
//@ because: without thread_local there is one variable for all
//@ twin: thread-local.c

#include <assert.h>
#include <pthread.h>

static int x = 7;

static void *worker(void *arg) {
    assert(x == 7);                      // error: can fail
    x = 8;
    return arg;
}

int main(void) {
    pthread_t t;
    x = 9;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(x == 8);
}
