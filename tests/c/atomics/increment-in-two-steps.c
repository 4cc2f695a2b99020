//@ assert: unsafe
//@ because: load and store are two steps
//@ twin: increment.c

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int n;

static void *worker(void *arg) {
    n = n + 1;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 2);  // error: can fail
}
