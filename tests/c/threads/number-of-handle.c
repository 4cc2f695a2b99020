//@ assert: unsafe
//@ because: handles are numbered as threads are started, and the first thread may not be
//@ twin: number-of-handle-larger.c
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
    assert((unsigned long)second != 2 || x * 2654435761u != 3735928558u);
}
