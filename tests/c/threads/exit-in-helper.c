//@ assert: safe

#include <assert.h>
#include <pthread.h>

static int n;

static void deep(void *result) {
    pthread_exit(result);
}

static void *worker(void *arg) {
    deep(&n);
    n = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    void *result = 0;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, &result);
    assert(n == 0);
    assert(result == &n);
}
