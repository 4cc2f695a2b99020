//@ assert: unsafe
//@ because: only functions named __VERIFIER_atomic_* run without a switch
//@ twin: atomic-function.c

#include <assert.h>
#include <pthread.h>

int n;

static void increment(void) { n = n + 1; }

static void *worker(void *arg) {
    increment();
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
