//@ assert: unsafe
//@ because: two members are read one after the other
//@ twin: as-one-integer.c

#include <assert.h>
#include <pthread.h>

struct pair {
    int a, b;
} shared;

static void *writer(void *arg) {
    *(volatile long *)&shared = 0x100000001;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int a = shared.a, b = shared.b;
    assert(a == b);  // error: 0 and 1
}
