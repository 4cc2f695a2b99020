//@ assert: safe
//@ open: explicit

#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static int a[4];

static void *worker(void *arg) {
    int i = __VERIFIER_nondet_int();
    a[i] = 1;                            // ends the execution where i is out of bounds, however far
    assert(0 <= i && i < 4);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
}
