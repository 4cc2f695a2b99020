//@ assert: unsafe
//@ because: among threads without number one finds the flag set by another
//@ twin: without-end-counted.c

#include <assert.h>
#include <pthread.h>

static int flag;

static void *worker(void *arg) {
    assert(!flag);               // error: another worker was here
    flag = 1;
    return arg;
}

int main(void) {
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
