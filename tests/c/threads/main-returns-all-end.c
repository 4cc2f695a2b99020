//@ assert: safe
//@ because: the return from main ends the program, so nobody comes back from waiting for it

#include <assert.h>
#include <pthread.h>

static pthread_t first;

static void *worker(void *arg) {
    pthread_join(first, 0);
    assert(0);
    return arg;
}

int main(void) {
    pthread_t t;
    first = pthread_self();
    pthread_create(&t, 0, worker, 0);
    return 0;
}
