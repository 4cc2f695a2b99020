//@ assert: safe
//@ because: the first thread has ended, and its variable with it, before the second writes to it: a memory error
//@ open: lazy comus product

#include <assert.h>
#include <pthread.h>

static _Thread_local int own;
static pthread_t second;
static int *shared;

static void *writes(void *p) {
    *shared = 1;
    return p;
}

static void *lends(void *p) {
    shared = &own;
    return p;
}

int main(void) {
    pthread_t first;
    pthread_create(&first, 0, lends, 0);
    pthread_join(first, 0);
    pthread_create(&second, 0, writes, 0);
    pthread_join(second, 0);
    assert(0);
}
