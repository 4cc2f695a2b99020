//@ assert: unsafe
//@ because: a struct for which no register is left is copied as what the parameter is
//@ twin: copied-by-accessor.c
#include <assert.h>
#include <pthread.h>

struct record {
    long number;
    int a, b;
};

union {
    struct record record;
    long numbers[2];
} shared;

static int is_torn(int a, int b, int c, int d, int e, struct record record) {
    return a + b + c + d + e == 15 && record.a == 0 && record.b == 1;
}

static void *thread(void *arg) {
    shared.record.a = 1;
    shared.record.b = 1;
    return arg;
}

int main(void) {
    pthread_t handle;
    pthread_create(&handle, 0, thread, 0);
    assert(!is_torn(1, 2, 3, 4, 5, shared.record));  // error: a was read before it was written, b after that
    pthread_join(handle, 0);
}
