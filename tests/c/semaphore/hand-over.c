//@ assert: safe

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static int n;
static sem_t s;

static void *worker(void *arg) {
    sem_wait(&s);
    assert(n == 1);
    return arg;
}

int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, worker, 0);
    n = 1;
    sem_post(&s);
    pthread_join(t, 0);
}
