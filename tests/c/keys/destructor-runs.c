//@ assert: safe

#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int runs;

static void destroy(void *value) {
    assert(pthread_getspecific(key) == 0);
    *(int *)value = 1;
}

static void *worker(void *arg) {
    pthread_setspecific(key, arg);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_create(&t, 0, worker, &runs);
    pthread_join(t, 0);
    assert(runs == 1);
}
