//@ assert: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct mixed {
    long number;
    int rest;
};

char *buffer;

static void *thread(void *arg) {
    ((struct mixed *)(buffer + 16))->number = 0x100000001;
    return arg;
}

int main(void) {
    pthread_t handle;
    buffer = calloc(1, 64);
    pthread_create(&handle, 0, thread, 0);
    struct mixed copy = *(struct mixed *)(buffer + 16);
    assert(copy.number == 0 || copy.number == 0x100000001);
    pthread_join(handle, 0);
}
