//@ assert: unsafe
//@ because: without exit the program goes on
//@ twin: exit-ends-all.c

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *arg) {
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(0);                           // error: always fails
}
