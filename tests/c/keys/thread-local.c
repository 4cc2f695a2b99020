//@ assert: safe

#include <assert.h>
#include <pthread.h>

static __thread int x = 7;

static void *worker(void *arg) {
    assert(x == 7);
    x = 8;
    return arg;
}

int main(void) {
    pthread_t t;
    x = 9;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(x == 9);
}
