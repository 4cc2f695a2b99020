//@ assert: unsafe
//@ because: the claim is that not all 3 numbers can be in a subsequence
//@ twin: long-3.c
//@ by: comus product

// cargo xtask family long --threads 3 --unsafe
//
// Longest increasing subsequence of 3 numbers: a thread for each index, which looks at the lengths
// before it as they come.
// Unsafe: the claim is that not all 3 numbers can be in a subsequence.

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int A[3]; // the input
int L[3]; // the lengths; 0 where there is none yet

void *t0(void *arg) {
    int best = 1;
    for (int k = 0; k < 2; k++) {
        while (L[k] == 0) {
        }
        if (A[k] < A[2] && best < L[k] + 1) {
            best = L[k] + 1;
        }
    }
    L[2] = best;
    assert(L[2] <= 2);
    return arg;
}

void *t1(void *arg) {
    int best = 1;
    for (int k = 0; k < 1; k++) {
        while (L[k] == 0) {
        }
        if (A[k] < A[1] && best < L[k] + 1) {
            best = L[k] + 1;
        }
    }
    L[1] = best;
    return arg;
}

void *t2(void *arg) {
    L[0] = 1;
    return arg;
}

int main(void) {
    pthread_t id0, id1, id2;
    for (int i = 0; i < 3; i++) {
        A[i] = __VERIFIER_nondet_int();
    }
    pthread_create(&id0, 0, t0, 0);
    pthread_create(&id1, 0, t1, 0);
    pthread_create(&id2, 0, t2, 0);
    pthread_join(id0, 0);
    pthread_join(id1, 0);
    pthread_join(id2, 0);
    return 0;
}
