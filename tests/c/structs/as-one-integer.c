//@ assert: safe

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
    long both = *(volatile long *)&shared;
    assert((int)both == (int)(both >> 32));
}
