//@ assert: unsafe
//@ open: comus product
//@ because: what is passed is what the parameter is, not what it lies in
//@ twin: copied-one-of-a-shape.c
#include <assert.h>
#include <pthread.h>

struct shorts {
    short numbers[6];
};

union {
    struct shorts shorts;
    int words[3];
} shared;

static int is_torn(struct shorts shorts) {
    return shorts.numbers[4] == 0 && shorts.numbers[5] == 1;
}

static void *thread(void *arg) {
    shared.shorts.numbers[4] = 1;
    shared.shorts.numbers[5] = 1;
    return arg;
}

int main(void) {
    pthread_t handle;
    pthread_create(&handle, 0, thread, 0);
    assert(!is_torn(shared.shorts));  // error: the fifth was read before it was written, the sixth after that
    pthread_join(handle, 0);
}
