//@ assert: safe
//@ because: there is no fourth thread
//@ open: explicit lazy comus product

#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static pthread_t a, b;

static void *nothing(void *p) { return p; }

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    if (x & 1) pthread_create(&a, 0, nothing, 0);
    pthread_create(&b, 0, nothing, 0);
    __sync_bool_compare_and_swap(&b, 4, 0);
    assert(b != 0 || x * 2654435761u != 3735928558u);
}
