//@ assert: unsafe
//@ because: where the section is not begun the reader sees one variable written and not yet the other
//@ twin: section-begun-in-one-branch.c
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
    x = 1;
    y = 1;
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
    assert(a == b);                   // error: x is 1, y is 0
}
