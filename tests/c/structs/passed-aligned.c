//@ assert: unsafe
//@ because: a struct of 16 bytes with padding in the second half is passed as one number
//@ twin: copied-by-accessor.c
//@ open: comus product
#include <assert.h>
#include <pthread.h>

struct pair {
    _Alignas(16) int a;
    int b;
} shared;

static struct pair *get(void) {
    return &shared;
}

static int is_torn(struct pair pair, int one) {
    return pair.a == 0 && pair.b == one;
}

static void *thread(void *arg) {
    shared.a = 1;
    shared.b = 1;
    return arg;
}

int main(void) {
    pthread_t handle;
    pthread_create(&handle, 0, thread, 0);
    assert(!is_torn(*get(), 1));  // error: a was read before it was written, b after that
    pthread_join(handle, 0);
}
