//@ assert: unsafe
//@ because: a flag of one's own does not make the others wait until it is done
//@ twin: others-wait.c

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
    own_once();
    assert(ready == 1);                  // error: can fail
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
