//@ assert: safe

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int state;
__attribute__((destructor)) static void last(void) { assert(state == 1); }

static void *worker(void *arg) {
    state = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_exit(0);
}
