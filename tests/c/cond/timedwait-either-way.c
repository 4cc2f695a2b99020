//@ assert: safe

#include <assert.h>
#include <pthread.h>
#include <errno.h>
#include <time.h>

static int ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *worker(void *arg) {
    struct timespec soon = {0, 0};
    int r = 0;
    pthread_mutex_lock(&m);
    while (!ready && r == 0) {
        r = pthread_cond_timedwait(&c, &m, &soon);
    }
    assert(ready || r == ETIMEDOUT);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
}
