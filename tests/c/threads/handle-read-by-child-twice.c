//@ assert: unsafe
//@ because: the handle is stored before the child runs, as glibc does, so the child finds itself
//@ twin: handle-read-by-child.c

#include <assert.h>
#include <pthread.h>

static pthread_t t;

static void *worker(void *arg) {
    assert(pthread_equal(t, pthread_self()) == 0);  // error: always fails
    return arg;
}

int main(void) {
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}
