//@ assert: unsafe
//@ because: the thread may run the second function
//@ twin: thread-body-by-input-checked.c

#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
static int x;
static void *f(void *arg) {
    x = 1;
    return arg;
}
static void *g(void *arg) {
    x = 2;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, __VERIFIER_nondet_int() ? f : g, 0);
    pthread_join(t, 0);
    assert(x == 1); // error: 2 by g
}
