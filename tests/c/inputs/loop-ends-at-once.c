//@ assert: safe
//@ open: lazy
//@ by: comus product
//@ within: 3s

#include <assert.h>
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);
static int g;

static void *worker(void *arg) {
    while (__VERIFIER_nondet_bool()) {
        g = 0;
    }
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    int z = g;
    (void)z;
    pthread_join(t, 0);
    assert(g == 0);
}
