//@ assert: unsafe
//@ because: the argument travels as a register of the machine would
//@ twin: odd-type-of-function.c

#include <assert.h>
#include <pthread.h>

static int seen;

static int worker(int x) {
    seen = x;
    return x + 1;
}

int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, (void *(*)(void *))worker, (void *)5);
    pthread_join(t, &result);
    assert((long)result == seen);     // error: always fails
}
