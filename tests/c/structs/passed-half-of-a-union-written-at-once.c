//@ assert: safe
#include <assert.h>
#include <pthread.h>

union {
    struct record {
        int a, b;
        long number;
    } record;
    char bytes[16];
} shared;

static void check(struct record record) {
    assert(record.number == 0 || record.number == 0x100000001);
}

static void *writer(void *arg) {
    shared.record.number = 0x100000001;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    check(shared.record);
    pthread_join(thread, 0);
}
