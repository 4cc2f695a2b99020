//@ assert: safe

#include <assert.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int made;

static void setup(void) {
    tss_create(&key, 0);
    made = made + 1;
}

static int worker(void *arg) {
    call_once(&once, setup);
    assert(tss_get(key) == 0);
    tss_set(key, arg);
    assert(tss_get(key) == arg);
    return 0;
}

int main(void) {
    thrd_t t;
    int x;
    thrd_create(&t, worker, &x);
    worker(0);
    thrd_join(t, 0);
    assert(made == 1);
}
