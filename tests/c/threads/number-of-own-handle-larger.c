//@ assert: safe
//@ because: there is no fourth thread
//@ open: explicit lazy comus product

#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static _Atomic unsigned long number = 4;
static unsigned x;

static void *first(void *p) { return p; }

static void *second(void *p) {
    assert(number != (unsigned long)pthread_self());
    return p;
}

int main(void) {
    pthread_t t;
    x = __VERIFIER_nondet_uint();
    if (x & 1) pthread_create(&t, 0, first, 0);
    pthread_create(&t, 0, second, 0);
}
