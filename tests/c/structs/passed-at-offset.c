//@ assert: unsafe
//@ because: which half of a struct is passed is told by the parameter
//@ twin: passed-unions.c
#include <assert.h>
#include <pthread.h>

struct record {
    int a, b;
    long number;
};

_Alignas(16) char buffer[64];

static int is_torn(struct record record) {
    return record.a == 0 && record.number == 1;
}

static void *thread(void *arg) {
    ((struct record *)(buffer + 8))->a = 1;
    ((struct record *)(buffer + 8))->number = 1;
    return arg;
}

int main(void) {
    pthread_t handle;
    pthread_create(&handle, 0, thread, 0);
    assert(!is_torn(*(struct record *)(buffer + 8)));  // error: a was read before it was written, the number after that
    pthread_join(handle, 0);
}
