//@ assert: unsafe
//@ because: pthread_exit in main ends only that thread, which another may join
//@ twin: main-returns-all-end.c

#include <assert.h>
#include <pthread.h>

static pthread_t first;

static void *worker(void *arg) {
    pthread_join(first, 0);
    assert(0);                           // error: can fail
    return arg;
}

int main(void) {
    pthread_t t;
    first = pthread_self();
    pthread_create(&t, 0, worker, 0);
    pthread_exit(0);
}
