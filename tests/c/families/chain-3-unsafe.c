//@ assert: unsafe
//@ because: v0 can be 15
//@ twin: chain-3.c
//@ by: comus product

// cargo xtask family chain --threads 3 --unsafe
//
// A chain of 3 threads; each adds to its variable 2 times.
// Unsafe: v0 can be 15.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int v0 = 1, v1 = 1, v2 = 1;

void *t0(void *arg) {
    for (int i = 0; i < 2; i++) {
        __VERIFIER_atomic_begin();
        v0 += v1;
        __VERIFIER_atomic_end();
    }
    assert(v0 <= 14);
    return arg;
}

void *t1(void *arg) {
    for (int i = 0; i < 2; i++) {
        __VERIFIER_atomic_begin();
        v1 += v2;
        __VERIFIER_atomic_end();
    }
    return arg;
}

void *t2(void *arg) {
    for (int i = 0; i < 2; i++) {
        __VERIFIER_atomic_begin();
        v2 += 1;
        __VERIFIER_atomic_end();
    }
    return arg;
}

int main(void) {
    pthread_t id0, id1, id2;
    pthread_create(&id0, 0, t0, 0);
    pthread_create(&id1, 0, t1, 0);
    pthread_create(&id2, 0, t2, 0);
    pthread_join(id0, 0);
    pthread_join(id1, 0);
    pthread_join(id2, 0);
    return 0;
}
