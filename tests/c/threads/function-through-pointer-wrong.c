//@ assert: unsafe
//@ because: the table holds the other function
//@ twin: function-through-pointer.c

#include <assert.h>
#include <pthread.h>

static int n;

static void *one(void *arg) {
    n = 1;
    return arg;
}

static void *two(void *arg) {
    n = 2;
    return arg;
}

static void *(*const table[2])(void *) = {one, two};

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, table[1], 0);
    pthread_join(t, 0);
    assert(n == 1);                    // error: always fails
}
