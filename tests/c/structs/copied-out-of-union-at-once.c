//@ assert: safe
#include <assert.h>
#include <pthread.h>

struct padded {
    long number;
    char letter;
};

union {
    struct padded padded;
    char bytes[sizeof(struct padded)];
} shared;

static void *thread(void *arg) {
    shared.padded.number = 0x100000001;
    return arg;
}

int main(void) {
    pthread_t handle;
    pthread_create(&handle, 0, thread, 0);
    struct padded copy = shared.padded;
    assert(copy.number == 0 || copy.number == 0x100000001);
    pthread_join(handle, 0);
}
