//@ assert: safe
// What comes after the branches runs once inside of a section and once outside; only outside others see its steps.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x, y;

void *writer(void *arg) {
    _Bool both = __VERIFIER_nondet_bool();
    if (both)
        __VERIFIER_atomic_begin();
    x = both;
    y = both;
    if (both)
        __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    __VERIFIER_atomic_begin();
    int a = x, b = y;
    __VERIFIER_atomic_end();
    assert(a == b);
}
