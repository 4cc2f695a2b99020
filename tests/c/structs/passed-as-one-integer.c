//@ assert: safe

#include <assert.h>
#include <pthread.h>

struct pair {
    int a, b;
} shared;

static void check(long both) {
    assert((int)both == (int)(both >> 32));
}

static void (*through)(long) = check;

static void *writer(void *arg) {
    *(volatile long *)&shared = 0x100000001;
    return arg;
}

int main(void) {
    pthread_t thread;
    void *pointer = &shared;
    pthread_create(&thread, 0, writer, 0);
    through(*(long *)pointer);
}
