//@ assert: safe
#include <assert.h>
#include <pthread.h>

struct base {
    int a, b;
};

struct derived {
    struct base base;
    long numbers[2];
} shared;

struct base *pointer = &shared.base;

static void *thread(void *arg) {
    shared.numbers[1] = 0x100000001;
    return arg;
}

int main(void) {
    pthread_t handle;
    pthread_create(&handle, 0, thread, 0);
    struct derived copy = *(struct derived *)pointer;
    assert(copy.numbers[1] == 0 || copy.numbers[1] == 0x100000001);
    pthread_join(handle, 0);
}
