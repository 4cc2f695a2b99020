//@ assert: safe

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static int n;
static sem_t s;

static void *worker(void *arg) {
    sem_wait(&s);
    n = n + 1;
    sem_post(&s);
    return arg;
}

int main(void) {
    pthread_t a, b;
    sem_init(&s, 0, 1);
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    sem_destroy(&s);
    assert(n == 2);
}
