//@ assert: safe
//@ because: the thread has ended, on whichever way it was joined

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
    if (__VERIFIER_nondet_int()) {
        pthread_join(t, 0);
    } else {
        void *result;
        pthread_join(t, &result);
    }
    flag = 1;
    return 0;
}
