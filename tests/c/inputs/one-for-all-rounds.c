//@ assert: safe
//@ open: explicit lazy
//@ by: comus product
//@ within: 3s

#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
static int state, a, b, c;

static void *worker(void *arg) {
    int v = __VERIFIER_nondet_int();
    for (;;) {
        if (state == 0) {
            a = v;
            state = 1;
        } else if (state == 1) {
            b = v;
            state = 2;
        } else {
            assert(a == b);
            c = v;
        }
    }
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    int sum = a + b + c;
    (void)sum;
    pthread_join(t, 0);
}
