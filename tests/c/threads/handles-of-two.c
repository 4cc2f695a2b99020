//@ assert: unsafe
//@ because: both handles may be used again, the other way round
//@ twin: handles-once.c
//@ open: lazy

#include <assert.h>
#include <pthread.h>

static void *thread(void *arg) {
    return arg;
}

int main(void) {
    pthread_t a, b, c, d;
    pthread_create(&a, 0, thread, 0);
    pthread_create(&b, 0, thread, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_create(&c, 0, thread, 0);
    pthread_create(&d, 0, thread, 0);
    assert(!(a == d && b == c));         // error: can fail
}
