//@ assert: unsafe
//@ because: the mutex is free during the wait, so what was read before is old
//@ twin: value-read-after-wait.c

#include <assert.h>
#include <pthread.h>

static int n, ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c;

static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    int seen = n;
    while (!ready) {
        pthread_cond_wait(&c, &m);
    }
    assert(seen == n);                   // error: can fail
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_cond_init(&c, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    n = 1;
    ready = 1;
    pthread_mutex_unlock(&m);
    pthread_cond_broadcast(&c);
    pthread_join(t, 0);
    pthread_cond_destroy(&c);
}
