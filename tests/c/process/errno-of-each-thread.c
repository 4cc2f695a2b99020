//@ assert: safe

#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *worker(void *arg) {
    errno = 5;
    return arg;
}

int main(void) {
    pthread_t t;
    errno = 3;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(errno == 3);
}
