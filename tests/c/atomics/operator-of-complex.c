//@ assert: safe
//@ open: explicit lazy comus product

#include <assert.h>
#include <pthread.h>

_Atomic _Complex float sum;

static void *worker(void *arg) {
    sum += 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    _Complex float result = sum;
    assert(__real__ result == 2);  // one operator is one step
    return 0;
}
