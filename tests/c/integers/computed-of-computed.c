//@ assert: safe
//@ because: what is divided, shifted and masked by a computed number is as small as that number makes it
//@ twin: computed-of-computed-wrong.c
//@ open: explicit

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int v, r;
unsigned char c;

static void *worker(void *arg) {
    r = 255 % ((v & 2) | 1);
    r = 7 / ((v & 2) | 1);
    assert(((v & -2) >> (v & 3)) <= 0x7ffffffe);
    r = __builtin_popcount(v) % (__builtin_popcount(v) | 1);
    r = (c | 1) >> (v & 3);
    assert((v & (v | -1)) == v);
    return arg;
}

int main(void) {
    v = __VERIFIER_nondet_int();
    c = v;
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
}
