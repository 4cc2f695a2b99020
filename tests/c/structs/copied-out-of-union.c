//@ assert: unsafe
//@ because: what is copied is the struct, not the union
//@ twin: copied-out-of-union-at-once.c
#include <assert.h>
#include <pthread.h>

struct pair {
    int a, b;
};

union {
    long both;
    struct pair pair;
} shared;

static void *thread(void *arg) {
    shared.pair.a = 1;
    shared.pair.b = 1;
    return arg;
}

int main(void) {
    pthread_t handle;
    pthread_create(&handle, 0, thread, 0);
    struct pair copy = shared.pair;
    assert(!(copy.a == 0 && copy.b == 1));  // error: a was read before it was written, b after that
    pthread_join(handle, 0);
}
