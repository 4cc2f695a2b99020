//@ assert: unsafe
//@ because: y may be read before it is written, and z after
//@ twin: passed-from-a-call.c
//@ open: comus product
// The members of a struct that clang passes as a vector are read as floats, not byte by byte.
#include <assert.h>
#include <pthread.h>

struct point {
    float x, y, z;
} shared;

static struct point *get(void) {
    return &shared;
}

static void check(struct point point) {
    assert(point.x == 0 || point.x == 1.5f);
    assert(point.z == 0 || point.y == 1.5f);  // error: y was read before it was written
}

static void *writer(void *arg) {
    shared.x = 1.5f;
    shared.y = 1.5f;
    shared.z = 2.5f;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    check(*get());
    pthread_join(thread, 0);
}
