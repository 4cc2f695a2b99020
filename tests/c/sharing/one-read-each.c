//@ assert: unsafe
//@ because: a && b on shared variables is two reads
//@ twin: two-reads.c

#include <assert.h>
#include <pthread.h>

int a, b;

static void *worker(void *arg) {
    b = 1;
    a = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (!b && a) assert(0);  // error: the worker runs between the reads
    pthread_join(t, 0);
}
