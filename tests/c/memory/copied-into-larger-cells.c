//@ assert: unsafe
//@ because: the array is read element by element, though it is copied into a larger number
//@ twin: copied-into-larger-cells-whole.c

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
    memcpy(&both, shared, sizeof both);
    assert(!((int)both == 0 && both >> 32 == 1));  // error: the thread ran between
    pthread_join(thread, 0);
}
