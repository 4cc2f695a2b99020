//@ assert: safe

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
    assert((long)result == seen + 1);
}
