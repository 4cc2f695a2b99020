//@ assert: safe
//@ open: lazy

#include <assert.h>
#include <pthread.h>

static int ready, inside;
static pthread_mutex_t m;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    while (!ready) {
        pthread_cond_wait(&c, &m);
    }
    pthread_mutex_unlock(&m);
    inside = 1;
    inside = 0;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &attr);
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    assert(!inside);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
}
