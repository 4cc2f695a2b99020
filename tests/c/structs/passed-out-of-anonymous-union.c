//@ assert: unsafe
//@ because: what is passed is what the parameter is
//@ twin: copied-by-accessor.c
//@ open: comus product
#include <assert.h>
#include <pthread.h>

struct pair {
    int a, b;
};

struct {
    long number;
    union {
        long both;
        struct pair pair;
    };
} shared;

static int is_torn(struct pair pair) {
    return pair.a == 0 && pair.b == 1;
}

static void *thread(void *arg) {
    shared.pair.a = 1;
    shared.pair.b = 1;
    return arg;
}

int main(void) {
    pthread_t handle;
    pthread_create(&handle, 0, thread, 0);
    assert(!is_torn(shared.pair));  // error: a was read before it was written, b after that
    pthread_join(handle, 0);
}
