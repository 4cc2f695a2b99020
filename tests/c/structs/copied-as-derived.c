//@ assert: unsafe
//@ because: what is copied is what the pointer is cast to
//@ twin: copied-as-address.c
#include <assert.h>
#include <pthread.h>

struct base {
    long type;
};

struct derived {
    struct base base;
    int a, b;
} shared;

struct base *pointer = &shared.base;

static void *thread(void *arg) {
    shared.a = 1;
    shared.b = 1;
    return arg;
}

int main(void) {
    pthread_t handle;
    pthread_create(&handle, 0, thread, 0);
    struct derived copy = *(struct derived *)pointer;
    assert(!(copy.a == 0 && copy.b == 1));  // error: a was read before it was written, b after that
    pthread_join(handle, 0);
}
