//@ assert: unsafe
//@ because: members are read one by one
//@ twin: copied-behind-char.c
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct mixed {
    long number;
    int rest;
};

char *buffer;

static void *thread(void *arg) {
    ((struct mixed *)(buffer + 16))->number = 1;
    ((struct mixed *)(buffer + 16))->rest = 1;
    return arg;
}

int main(void) {
    pthread_t handle;
    buffer = calloc(1, 64);
    pthread_create(&handle, 0, thread, 0);
    struct mixed copy = *(struct mixed *)(buffer + 16);
    assert(!(copy.number == 0 && copy.rest == 1));  // error: the number was read before it was written, the rest after that
    pthread_join(handle, 0);
}
