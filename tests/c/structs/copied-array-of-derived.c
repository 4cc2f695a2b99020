//@ assert: unsafe
//@ because: an array in what is copied has its own elements
//@ twin: copied-array-of-derived-at-once.c
#include <assert.h>
#include <pthread.h>

struct base {
    long type;
};

struct derived {
    struct base base;
    int numbers[2];
} shared;

struct base *pointer = &shared.base;

static void *thread(void *arg) {
    shared.numbers[0] = 1;
    shared.numbers[1] = 1;
    return arg;
}

int main(void) {
    pthread_t handle;
    pthread_create(&handle, 0, thread, 0);
    struct derived copy = *(struct derived *)pointer;
    assert(!(copy.numbers[0] == 0 && copy.numbers[1] == 1));  // error: the second was read after both were written
    pthread_join(handle, 0);
}
