//@ assert: unsafe
//@ because: another thread than the first has another number than the process
//@ twin: thread-id-of-main.c

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static void *worker(void *arg) {
    assert(gettid() == getpid());  // error: only the first thread has the number of the process
    return 0;
}

int main(void) {
    pthread_t t;
    assert(gettid() == getpid());
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
}
