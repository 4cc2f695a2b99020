//@ assert: unsafe
//@ because: without once both threads run it
//@ twin: run-once.c

#include <assert.h>
#include <pthread.h>

static int n;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void setup(void) {
    __atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST);
}

static void *worker(void *arg) {
    setup();
    assert(n == 1);                      // error: can fail
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
