//@ assert: unsafe
//@ because: t1 sets the turn before its claim
//@ twin: pet-2.c
//@ by: comus product

// cargo xtask family pet --threads 2 --unsafe
//
// Peterson's mutual exclusion of 2 threads; the first claims that it is alone.
// Unsafe: t1 sets the turn before its claim.

#include <assert.h>
#include <pthread.h>

int claim0, claim1;
int turn;
int cs0, cs1;

void *t0(void *arg) {
    while (1) {
        claim0 = 1;
        turn = 1;
        while (claim1 && turn != 0) {
        }
        cs0 = 1;
        assert(!cs1);
        cs0 = 0;
        claim0 = 0;
    }
    return arg;
}

void *t1(void *arg) {
    while (1) {
        turn = 0;
        claim1 = 1;
        while (claim0 && turn != 1) {
        }
        cs1 = 1;
        cs1 = 0;
        claim1 = 0;
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
