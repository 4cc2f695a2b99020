//@ assert: unsafe
//@ because: without the second barrier the other thread may be a round ahead
//@ twin: two-rounds.c

#include <assert.h>
#include <pthread.h>

static int x[2];
static pthread_barrier_t b;

static void *worker(void *arg) {
    int i = *(int *)arg;
    for (int round = 1; round <= 2; round++) {
        x[i] = round;
        pthread_barrier_wait(&b);
        assert(x[1 - i] == round);       // error: can fail
    }
    return 0;
}

int main(void) {
    pthread_t t[2];
    int which[2] = {0, 1};
    pthread_barrier_init(&b, 0, 2);
    for (int i = 0; i < 2; i++) {
        pthread_create(&t[i], 0, worker, &which[i]);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(t[i], 0);
    }
}
