// Two threads add one; an addition is lost.
#include <assert.h>
#include <pthread.h>

static int n;

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
    assert(n == 2);
}
