//@ assert: unsafe
//@ because: which members a part of a struct has is told by the parameter that it is for
//@ twin: passed-of-two-sizes-in-order.c
//@ open: comus product
#include <assert.h>
#include <pthread.h>

struct pair {
    int a, b;
};

struct record {
    long number;
    int c, d;
};

struct node {
    struct pair pair;
    struct record record;
} node;

static struct node *get(void) {
    return &node;
}

static int is_torn(struct pair pair, struct record record) {
    return (pair.a == 0 && pair.b == 1) || (record.c == 0 && record.d == 1);
}

static void *thread(void *arg) {
    node.record.c = 1;
    node.record.d = 1;
    return arg;
}

int main(void) {
    pthread_t handle;
    pthread_create(&handle, 0, thread, 0);
    assert(!is_torn(get()->pair, get()->record));  // error: c was read before it was written, d after that
    pthread_join(handle, 0);
}
