//@ assert: safe
//@ open: lazy
//@ within: 5s
//@ by: product

// cargo xtask family pet --threads 2
//
// Peterson's mutual exclusion of 2 threads; the first claims that it is alone.

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
        claim1 = 1;
        turn = 0;
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
