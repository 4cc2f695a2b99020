//@ assert: unsafe
//@ because: exactly one thread gets PTHREAD_BARRIER_SERIAL_THREAD
//@ twin: serial-thread-in-one.c

#include <assert.h>
#include <pthread.h>
#include <errno.h>

static int serial;
static pthread_barrier_t b;

static void *worker(void *arg) {
    int r = pthread_barrier_wait(&b);
    assert(r == 0 || r == PTHREAD_BARRIER_SERIAL_THREAD);
    if (r == PTHREAD_BARRIER_SERIAL_THREAD) {
        serial = serial + 1;
    }
    return arg;
}

int main(void) {
    pthread_t t[2];
    assert(pthread_barrier_init(&b, 0, 0) == EINVAL);
    pthread_barrier_init(&b, 0, 3);
    pthread_create(&t[0], 0, worker, 0);
    pthread_create(&t[1], 0, worker, 0);
    worker(0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(serial == 0);                 // error: always fails
}
