//@ assert: unsafe
//@ because: v0 can be 8
//@ twin: ring-2.c
//@ by: comus product

// cargo xtask family ring --threads 2 --unsafe --assert main
//
// A ring of 2 threads; each adds to its variable 2 times.
// Unsafe: v0 can be 8.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int v0 = 1, v1 = 1;

void *t0(void *arg) {
    for (int i = 0; i < 2; i++) {
        __VERIFIER_atomic_begin();
        v0 += v1;
        __VERIFIER_atomic_end();
    }
    return arg;
}

void *t1(void *arg) {
    for (int i = 0; i < 2; i++) {
        __VERIFIER_atomic_begin();
        v1 += v0;
        __VERIFIER_atomic_end();
    }
    return arg;
}

int main(void) {
    pthread_t id0, id1;
    pthread_create(&id0, 0, t0, 0);
    pthread_create(&id1, 0, t1, 0);
    pthread_join(id0, 0);
    pthread_join(id1, 0);
    assert(v0 <= 7);
    return 0;
}
