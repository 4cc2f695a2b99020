//@ assert: safe

#include <assert.h>
#include <pthread.h>

static void *worker(void *arg) {
    return (char *)arg + 1;
}

int main(void) {
    static char text[4];
    pthread_t t;
    void *result = 0;
    pthread_create(&t, 0, worker, text);
    pthread_join(t, &result);
    assert(result == text + 1);
}
