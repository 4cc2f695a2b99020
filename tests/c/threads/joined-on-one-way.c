//@ assert: unsafe
//@ because: where the thread is not joined the flag may be set while it runs
//@ twin: joined-on-both-ways.c

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int flag;

static void *worker(void *p) {
    assert(flag == 0);
    return p;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (__VERIFIER_nondet_int()) pthread_join(t, 0);
    flag = 1;
    return 0;
}
