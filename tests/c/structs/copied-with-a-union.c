//@ assert: unsafe
//@ because: a union that no member covers does not make words of its neighbours
//@ twin: copied-rows.c
#include <assert.h>
#include <pthread.h>

struct message {
    long id;
    union {
        int number;
        char name[5];
    } content;
    int a, b;
} shared;

static void *thread(void *arg) {
    shared.a = 1;
    shared.b = 1;
    return arg;
}

int main(void) {
    pthread_t handle;
    pthread_create(&handle, 0, thread, 0);
    struct message copy = shared;
    assert(!(copy.a == 0 && copy.b == 1));  // error: a was read before it was written, b after that
    pthread_join(handle, 0);
}
