//@ assert: unsafe
//@ because: the exchange may fail although nobody else writes
//@ twin: weak-exchange-in-a-loop.c

#include <assert.h>
#include <stdatomic.h>

#include <pthread.h>

static atomic_int x;
static int tries;

static void *worker(void *arg) {
    int old = atomic_load(&x);
    while (!atomic_compare_exchange_weak(&x, &old, old + 1)) {
        tries = 1;
    }
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(x == 1 && tries == 0);  // error: it may have tried again
    return 0;
}
