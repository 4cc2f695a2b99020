//@ assert: safe

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

_Atomic bool taken;
int inside;

static void *worker(void *arg) {
    if (!taken++) {
        assert(!inside);
        inside = 1;
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    int before = !taken++;
    assert(before == 0);
    return 0;
}
