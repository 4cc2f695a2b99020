//@ assert: safe

#include <assert.h>
#include <pthread.h>

struct wide {
    long a, b, c;
};

static _Atomic struct wide w;

static void *worker(void *arg) {
    struct wide one = {1, 1, 1};
    w = one;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    struct wide seen = w;
    assert(seen.a == seen.c);
    pthread_join(t, 0);
}
