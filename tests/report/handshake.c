// Semaphores, a condition variable that is waited for without a loop, and a flag that is waited for in one.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t started;
static int full;
static volatile int stop;

static void *consumer(void *arg) {
    sem_post(&started);
    pthread_mutex_lock(&m);
    if (!full) {
        pthread_cond_wait(&c, &m);
    }
    assert(full);
    full = 0;
    pthread_mutex_unlock(&m);
    stop = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    sem_init(&started, 0, 0);
    pthread_create(&t, 0, consumer, 0);
    sem_wait(&started);
    pthread_mutex_lock(&m);
    full = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    while (!stop) {
    }
    pthread_join(t, 0);
}
