//@ assert: safe

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int n;

static void last(void) { assert(n == 1); }

static void *worker(void *arg) {
    n = n + 1;
    return 0;
}

int main(void) {
    pthread_t t;
    atexit(last);
    pthread_create(&t, 0, worker, 0);
    pthread_exit(0);
}
