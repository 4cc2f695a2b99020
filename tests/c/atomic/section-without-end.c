//@ assert: unsafe
//@ because: the section never ends, but the other thread can be there before it begins
//@ twin: section-with-end.c

#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int n;

static void *worker(void *arg) {
    assert(n == 1);              // error: before main has counted
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    __VERIFIER_atomic_begin();
    while (n == 0)
        (void)(__VERIFIER_nondet_bool() ? 1 : 2);
    __VERIFIER_atomic_end();
}
