//@ assert: safe

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int n;

static void *worker(void *arg) {
    n++;
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
