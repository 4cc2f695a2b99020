//@ assert: unsafe
//@ because: row 2 waits for a cell less than it needs
//@ twin: pas-3-shuffled.c
//@ by: comus product

// cargo xtask family pas --threads 3 --unsafe --shuffle 2
//
// Pascal's triangle up to row 3: a thread for each row, which goes on as soon as the two cells
// above are there.
// Unsafe: row 2 waits for a cell less than it needs.

#include <assert.h>
#include <pthread.h>

int P[4][4];
int ready[4]; // how many cells of a row are there

void *t0(void *arg) {
    P[2][0] = 1;
    ready[2]++;
    for (int k = 1; k < 2; k++) {
        while (ready[1] < k) {
        }
        P[2][k] = P[1][k - 1] + P[1][k];
        ready[2]++;
    }
    P[2][2] = 1;
    ready[2]++;
    return arg;
}

void *t1(void *arg) {
    P[1][0] = 1;
    ready[1]++;
    P[1][1] = 1;
    ready[1]++;
    return arg;
}

void *t2(void *arg) {
    P[3][0] = 1;
    ready[3]++;
    for (int k = 1; k < 3; k++) {
        while (ready[2] < k + 1) {
        }
        P[3][k] = P[2][k - 1] + P[2][k];
        ready[3]++;
    }
    P[3][3] = 1;
    ready[3]++;
    assert(P[3][1] == 3 && P[3][2] == 3);
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
