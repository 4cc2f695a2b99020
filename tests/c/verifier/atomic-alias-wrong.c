//@ assert: unsafe
//@ because: by its other name the function is not atomic
//@ twin: atomic-alias.c

#include <assert.h>
#include <pthread.h>

static int x;

static int inc(int by) {
    x += by;
    return x;
}
int __VERIFIER_atomic_inc(int) __attribute__((alias("inc")));

static void *f(void *arg) {
    inc(1);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    int now = __VERIFIER_atomic_inc(1);
    assert(now >= 1);
    pthread_join(t, 0);
    assert(x == 2); // error:
}
