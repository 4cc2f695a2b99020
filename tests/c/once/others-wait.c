//@ assert: safe

#include <assert.h>
#include <pthread.h>

static int ready;
static int begun;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void setup(void) {
    ready = ready + 1;
}

static void own_once(void) {
    if (!__atomic_exchange_n(&begun, 1, __ATOMIC_SEQ_CST)) {
        setup();
    }
}

static void *worker(void *arg) {
    pthread_once(&once, setup);
    assert(ready == 1);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
