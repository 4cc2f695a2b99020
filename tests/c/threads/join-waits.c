//@ assert: safe

#include <assert.h>
#include <pthread.h>

static int n;

static void *worker(void *arg) {
    n = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(n == 1);
}
