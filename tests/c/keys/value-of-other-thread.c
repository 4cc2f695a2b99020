//@ assert: unsafe
//@ because: each thread has a value of its own, null at first
//@ twin: value-of-own-thread.c

#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void *worker(void *arg) {
    assert(pthread_getspecific(key) == 0);
    pthread_setspecific(key, arg);
    assert(pthread_getspecific(key) == arg);
    return arg;
}

int main(void) {
    static int x, y;
    pthread_t t;
    assert(pthread_key_create(&key, 0) == 0);
    pthread_setspecific(key, &x);
    pthread_create(&t, 0, worker, &y);
    pthread_join(t, 0);
    assert(pthread_getspecific(key) == &y);  // error: always fails
    pthread_key_delete(key);
}
