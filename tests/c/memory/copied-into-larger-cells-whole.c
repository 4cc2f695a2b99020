//@ assert: safe

#include <assert.h>
#include <pthread.h>
#include <string.h>

int shared[2];

static void *writer(void *arg) {
    shared[0] = 1;
    shared[1] = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    long both;
    pthread_create(&thread, 0, writer, 0);
    both = *(volatile long *)shared;
    assert(!((int)both == 0 && both >> 32 == 1));
    pthread_join(thread, 0);
}
