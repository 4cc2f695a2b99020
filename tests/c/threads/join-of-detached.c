//@ assert: unsafe
//@ because: glibc refuses to join a detached thread, and goes on, whether or not the result is looked at
//@ twin: join-of-joinable.c

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void *worker(void *arg) {
    sem_wait(&never);
    return arg;
}

int main(void) {
    pthread_t t;
    sem_init(&never, 0, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_detach(t);
    pthread_join(t, 0);
    assert(0);  // error: always fails
}
