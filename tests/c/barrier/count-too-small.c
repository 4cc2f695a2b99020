//@ assert: unsafe
//@ because: a barrier for one holds nobody back
//@ twin: both-arrive.c

#include <assert.h>
#include <pthread.h>

static int x[2];
static pthread_barrier_t b;

static void *worker(void *arg) {
    int i = *(int *)arg;
    x[i] = 1;
    pthread_barrier_wait(&b);
    assert(x[1 - i] == 1);               // error: can fail
    return 0;
}

int main(void) {
    pthread_t t[2];
    int which[2] = {0, 1};
    pthread_barrier_init(&b, 0, 1);
    for (int i = 0; i < 2; i++) {
        pthread_create(&t[i], 0, worker, &which[i]);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(t[i], 0);
    }
    pthread_barrier_destroy(&b);
}
