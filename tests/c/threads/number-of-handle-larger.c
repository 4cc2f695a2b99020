//@ assert: safe
//@ because: there is no third thread
//@ open: explicit lazy comus product

#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static void *thread(void *p) { return p; }

int main(void) {
    pthread_t first, second;
    unsigned x = __VERIFIER_nondet_uint();
    if (x & 1) pthread_create(&first, 0, thread, 0);
    pthread_create(&second, 0, thread, 0);
    assert((unsigned long)second != 4);
}
