//@ assert: safe

#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void destroy(void *value) {
    assert(value == 0);
}

static void *worker(void *arg) {
    pthread_setspecific(key, arg);
    pthread_key_delete(key);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, worker, &t);
    pthread_join(t, 0);
}
