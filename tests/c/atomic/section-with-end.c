//@ assert: safe

#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int n;

static void *worker(void *arg) {
    assert(n == 0);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    __VERIFIER_atomic_begin();
    for (int i = 0; i < 3; i++)
        (void)(__VERIFIER_nondet_bool() ? 1 : 2);
    __VERIFIER_atomic_end();
}
