//@ assert: safe

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
    if (a) assert(b);
    pthread_join(t, 0);
}
