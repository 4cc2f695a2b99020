//@ assert: safe
//@ open: comus product

// To end after it is another matter.

#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int n;

static void count(void) {
    n++;
}

static void *worker(void *arg) {
    pthread_once(&once, count);
    pthread_exit(arg);
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_once(&once, count);
    pthread_join(t, 0);
    assert(n == 1);
}
