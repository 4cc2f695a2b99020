//@ assert: unsafe
//@ because: each thread has its own
//@ twin: thread-local.c

#include <assert.h>
#include <pthread.h>

_Thread_local int mine = 5;
static __thread int zero;

static void *worker(void *arg) {
    mine++;
    zero = 9;
    assert(mine == 6);
    return arg;
}

int main(void) {
    pthread_t t;
    mine = 100;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(mine == 101);  // error: the other thread has its own
    assert(zero == 0);
}
