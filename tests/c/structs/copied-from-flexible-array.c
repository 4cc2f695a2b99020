//@ assert: unsafe
//@ because: an element behind the struct has its own members, not those of the struct
//@ twin: copied-from-flexible-array-at-once.c
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct pair {
    int a, b;
};

struct {
    long number;
    struct pair pairs[];
} *shared;

static void *thread(void *arg) {
    shared->pairs[0].a = 1;
    shared->pairs[0].b = 1;
    return arg;
}

int main(void) {
    pthread_t handle;
    shared = calloc(1, sizeof *shared + 2 * sizeof(struct pair));
    pthread_create(&handle, 0, thread, 0);
    struct pair copy = shared->pairs[0];
    assert(!(copy.a == 0 && copy.b == 1));  // error: a was read before it was written, b after that
    pthread_join(handle, 0);
}
