//@ assert: unsafe
//@ because: a thread may wake without a signal
//@ twin: wait-in-loop.c

#include <assert.h>
#include <pthread.h>

static int ready;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    if (!ready) {
        pthread_cond_wait(&c, &m);
    }
    assert(ready);                       // error: can fail
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
