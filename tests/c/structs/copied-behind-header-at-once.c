//@ assert: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct pair {
    int a, b;
};

struct header {
    char tag[4];
    short number, size;
} *header;

static void *thread(void *arg) {
    struct pair pair = {0x01010101, 2};
    *(struct pair *)(header + 1) = pair;
    return arg;
}

int main(void) {
    pthread_t handle;
    header = calloc(1, 64);
    pthread_create(&handle, 0, thread, 0);
    int a = ((struct pair *)(header + 1))->a;
    assert(a == 0 || a == 0x01010101);
    pthread_join(handle, 0);
}
