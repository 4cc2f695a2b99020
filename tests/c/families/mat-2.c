//@ assert: safe
//@ open: explicit
//@ by: comus product

// cargo xtask family mat --threads 2
//
// Sum-Matrix: the sums of the lower right parts of a matrix with 2 rows and 2 columns,
// a thread for each row, which goes on as soon as the cell below is there.

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int A[2][2]; // the input
int S[2][2]; // the sums
int ready[2]; // how many cells of a row are there, counted from its end

void *t0(void *arg) {
    int row = 0;
    for (int j = 1; j >= 0; j--) {
        row += A[0][j];
        while (ready[1] < 2 - j) {
        }
        S[0][j] = row + S[1][j];
        ready[0]++;
    }
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            sum += A[i][j];
        }
    }
    assert(S[0][0] == sum);
    return arg;
}

void *t1(void *arg) {
    int row = 0;
    for (int j = 1; j >= 0; j--) {
        row += A[1][j];
        S[1][j] = row;
        ready[1]++;
    }
    return arg;
}

int main(void) {
    pthread_t id0, id1;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            A[i][j] = __VERIFIER_nondet_int();
        }
    }
    pthread_create(&id0, 0, t0, 0);
    pthread_create(&id1, 0, t1, 0);
    pthread_join(id0, 0);
    pthread_join(id1, 0);
    return 0;
}
