//@ assert: unsafe
//@ because: behind the header lies something else
//@ twin: copied-behind-header-at-once.c
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct pair {
    int a, b;
};

struct header {
    long size;
} *header;

static void *thread(void *arg) {
    struct pair *pair = (struct pair *)(header + 1);
    pair->a = 1;
    pair->b = 1;
    return arg;
}

int main(void) {
    pthread_t handle;
    header = calloc(1, 64);
    pthread_create(&handle, 0, thread, 0);
    struct pair copy = *(struct pair *)(header + 1);
    assert(!(copy.a == 0 && copy.b == 1));  // error: a was read before it was written, b after that
    pthread_join(handle, 0);
}
