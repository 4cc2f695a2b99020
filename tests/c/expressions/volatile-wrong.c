//@ assert: unsafe
//@ because: each read is a step of its own
//@ twin: volatile.c

#include <assert.h>
#include <pthread.h>

volatile int flag, data;

static void *worker(void *arg) {
    data = 1;
    flag = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (!flag) ;
    assert(data == 1);  // error: can fail
    pthread_join(t, 0);
}
