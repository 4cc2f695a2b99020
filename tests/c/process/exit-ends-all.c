//@ assert: safe

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
    exit(1);
    assert(0);
}
