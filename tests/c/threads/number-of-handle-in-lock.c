//@ assert: unsafe
//@ because: the second thread is the second one where the first is not started
//@ twin: number-of-handle-in-lock-larger.c
//@ open: explicit lazy comus product

#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static pthread_t a, b;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *nothing(void *p) { return p; }

static void *locks(void *p) {
    pthread_mutex_lock(&m);
    return p;
}

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    if (x & 1) pthread_create(&a, 0, nothing, 0);
    pthread_create(&b, 0, locks, 0);
    pthread_join(b, 0);
    assert(m.__data.__lock != 2 || x * 2654435761u != 3735928558u);
}
