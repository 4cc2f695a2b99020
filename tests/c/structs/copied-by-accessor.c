//@ assert: safe
// Where nothing is known of both sides, what is copied is told from the members that clang lists.
#include <assert.h>
#include <pthread.h>

struct tagged {
    unsigned a : 20, b : 12;
    int numbers[2];
    union {
        long number;
        double fraction;
        int *pointer;
    } value;
} shared, copy;

static struct tagged *get(struct tagged *tagged) {
    return tagged;
}

static void *thread(void *arg) {
    shared.a = 0x10101;
    shared.numbers[1] = 0x01010101;
    shared.value.number = 0x100000001;
    return arg;
}

int main(void) {
    pthread_t handle;
    pthread_create(&handle, 0, thread, 0);
    *get(&copy) = *get(&shared);
    assert(copy.a == 0 || copy.a == 0x10101);
    assert(copy.numbers[1] == 0 || copy.numbers[1] == 0x01010101);
    assert(copy.value.number == 0 || copy.value.number == 0x100000001);
    pthread_join(handle, 0);
}
