//@ assert: unsafe
//@ because: the sign of the result is extended, as in glibc
//@ twin: result-as-pointer.c

#include <assert.h>
#include <pthread.h>
#include <threads.h>

static int worker(void *arg) {
    return -1;
}

int main(void) {
    thrd_t t;
    void *result;
    thrd_create(&t, worker, 0);
    pthread_join(t, &result);
    assert((long)result != -1);  // error: it is
}
