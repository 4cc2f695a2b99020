//@ assert: safe

#include <assert.h>
#include <pthread.h>

int n;

static void __VERIFIER_atomic_increment(void) { n = n + 1; }

static void *worker(void *arg) {
    __VERIFIER_atomic_increment();
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 2);
}
