//@ assert: safe
//@ open: comus product

// A thread that is detached cannot be joined.

#include <assert.h>
#include <pthread.h>

pthread_t volatile handle;
int volatile there;

static void *first(void *arg) {
    return arg;
}

static void *second(void *arg) {
    if (there) {
        assert(pthread_join(handle, 0) != 0);
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    handle = a;
    pthread_detach(a);
    there = 1;
    return 0;
}
