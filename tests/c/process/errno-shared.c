//@ assert: unsafe
//@ because: a variable of one's own is seen by all threads
//@ twin: errno-of-each-thread.c

#include <assert.h>
#include <errno.h>
#include <pthread.h>

#undef errno
static int errno;

static void *worker(void *arg) {
    errno = 5;
    return arg;
}

int main(void) {
    pthread_t t;
    errno = 3;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(errno == 3);                  // error: always fails
}
