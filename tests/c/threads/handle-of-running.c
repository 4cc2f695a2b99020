//@ assert: safe

#include <assert.h>
#include <pthread.h>

static void *thread(void *arg) {
    return arg;
}

int main(void) {
    pthread_t old, new;
    pthread_create(&old, 0, thread, 0);
    pthread_create(&new, 0, thread, 0);
    pthread_join(old, 0);
    assert(!pthread_equal(old, new));
}
