//@ assert: unsafe
//@ because: two threads have different handles
//@ twin: self-and-equal.c

#include <assert.h>
#include <pthread.h>

static pthread_t first;

static void *worker(void *arg) {
    assert(pthread_equal(first, pthread_self()));  // error: always fails
    return arg;
}

int main(void) {
    pthread_t t;
    first = pthread_self();
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
}
