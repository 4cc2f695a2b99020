//@ assert: safe

#include <assert.h>
#include <pthread.h>

static int n;

static void *worker(void *arg) {
    n = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &attr, worker, 0);
    assert(n == 0 || n == 1);
    return 0;
}
