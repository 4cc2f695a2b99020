//@ assert: unsafe
//@ because: timedlock may give up while another thread holds the mutex
//@ twin: timedlock-checked.c

#include <assert.h>
#include <pthread.h>
#include <errno.h>
#include <time.h>

static int n;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    struct timespec soon = {0, 0};
    int r = pthread_mutex_timedlock(&m, &soon);
    assert(r == 0 || r == ETIMEDOUT);
    n = n + 1;
    assert(n == 1);                      // error: can fail
    n = n - 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
