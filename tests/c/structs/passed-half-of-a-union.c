//@ assert: unsafe
//@ because: the second half of a struct in a global union has its own members, not those of the first
//@ twin: passed-half-of-a-union-written-at-once.c
//@ open: comus product
#include <assert.h>
#include <pthread.h>

union {
    struct record {
        long number;
        int a, b;
    } record;
    char bytes[16];
} shared;

static void check(struct record record) {
    assert(!(record.a == 0 && record.b == 1));  // error: a was read before it was written, b after that
}

static void *writer(void *arg) {
    shared.record.a = 1;
    shared.record.b = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    check(shared.record);
    pthread_join(thread, 0);
}
