//@ assert: unsafe
//@ because: that both pointers are declared alike does not make it what is copied
//@ twin: copied-by-accessor.c
#include <assert.h>
#include <pthread.h>

struct pair {
    int a, b;
};

struct base {
    long type;
};

struct derived {
    struct base base;
    struct pair pair;
} shared, copy;

struct base *from = &shared.base, *to = &copy.base;

static void *thread(void *arg) {
    shared.pair.a = 1;
    shared.pair.b = 1;
    return arg;
}

int main(void) {
    pthread_t handle;
    pthread_create(&handle, 0, thread, 0);
    *(struct derived *)to = *(struct derived *)from;
    assert(!(copy.pair.a == 0 && copy.pair.b == 1));  // error: a was read before it was written, b after that
    pthread_join(handle, 0);
}
