//@ assert: unsafe
//@ because: each thread locks a mutex of its own
//@ twin: one-mutex.c

#include <assert.h>
#include <pthread.h>

static int n;
static pthread_mutex_t m[2];

static void *worker(void *arg) {
    pthread_mutex_t *mine = arg;
    pthread_mutex_lock(mine);
    n = n + 1;
    pthread_mutex_unlock(mine);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_mutex_init(&m[0], 0);
    pthread_mutex_init(&m[1], 0);
    pthread_create(&a, 0, worker, &m[0]);
    pthread_create(&b, 0, worker, &m[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_mutex_destroy(&m[0]);
    pthread_mutex_destroy(&m[1]);
    assert(n == 2);                      // error: can fail
}
