//@ assert: safe

#include <assert.h>
#include <pthread.h>
#include <threads.h>

static int worker(void *arg) {
    if (arg)
        thrd_exit(-2);
    return -1;
}

int main(void) {
    thrd_t t;
    void *result;
    thrd_create(&t, worker, 0);
    pthread_join(t, &result);
    assert((long)result == -1);
    thrd_create(&t, worker, &t);
    pthread_join(t, &result);
    assert((long)result == -2);
}
