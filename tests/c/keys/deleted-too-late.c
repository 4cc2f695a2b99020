//@ assert: unsafe
//@ because: the key is deleted when the destructor has run
//@ twin: deleted-has-no-destructor.c

#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void destroy(void *value) {
    assert(value == 0);  // error: it is the address of t
}

static void *worker(void *arg) {
    pthread_setspecific(key, arg);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, worker, &t);
    pthread_join(t, 0);
    pthread_key_delete(key);
}
