//@ assert: unsafe
//@ because: between two sections others can move
//@ twin: begun-in-several-places.c

#include <assert.h>
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x;

static void *worker(void *arg) {
    int in = 0;
    for (int i = 0; i < 3 && __VERIFIER_nondet_bool(); i++) {
        if (!in) {
            __VERIFIER_atomic_begin();
            x = 1;
        } else {
            x = 2;
            __VERIFIER_atomic_end();
        }
        in = !in;
    }
    if (in) {
        x = 0;
        __VERIFIER_atomic_end();
    }
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert(x == 0);
}
