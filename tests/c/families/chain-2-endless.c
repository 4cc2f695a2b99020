//@ assert: safe
//@ open: lazy
//@ within: 5s
//@ by: comus product

// cargo xtask family chain --threads 2 --endless
//
// A chain of 2 threads, each adding to its variable without end; no sum is beyond 100.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int v0 = 1, v1 = 1;

void *t0(void *arg) {
    while (1) {
        __VERIFIER_atomic_begin();
        if (v0 <= 100 - v1) {
            v0 += v1;
        }
        __VERIFIER_atomic_end();
        assert(v0 >= 1);
    }
    return arg;
}

void *t1(void *arg) {
    while (1) {
        __VERIFIER_atomic_begin();
        if (v1 <= 100 - 1) {
            v1 += 1;
        }
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
    return 0;
}
