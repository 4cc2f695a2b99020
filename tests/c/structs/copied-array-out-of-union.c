//@ assert: unsafe
//@ because: the union looks like the struct in it, but is aligned otherwise
//@ twin: copied-one-of-a-shape.c
#include <assert.h>
#include <pthread.h>

struct vector {
    int numbers[4];
};

union {
    struct vector vector;
    long words[2];
} shared;

static void *thread(void *arg) {
    shared.vector.numbers[0] = 1;
    shared.vector.numbers[1] = 1;
    return arg;
}

int main(void) {
    pthread_t handle;
    pthread_create(&handle, 0, thread, 0);
    struct vector copy = shared.vector;
    assert(!(copy.numbers[0] == 0 && copy.numbers[1] == 1));  // error: the second was read after both were written
    pthread_join(handle, 0);
}
