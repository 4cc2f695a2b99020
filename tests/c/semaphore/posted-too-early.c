//@ assert: unsafe
//@ because: the post comes before the write
//@ twin: hand-over.c

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static int n;
static sem_t s;

static void *worker(void *arg) {
    sem_wait(&s);
    assert(n == 1);                      // error: can fail
    return arg;
}

int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, worker, 0);
    sem_post(&s);
    n = 1;
    pthread_join(t, 0);
}
