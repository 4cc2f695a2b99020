//@ assert: unsafe
//@ because: an int comes back, also a negative one
//@ twin: result.c

#include <assert.h>
#include <threads.h>

static int worker(void *arg) {
    if (arg != 0) {
        thrd_exit(*(int *)arg);
    }
    return -3;
}

int main(void) {
    thrd_t t;
    int five = 5, result = 0;
    assert(thrd_create(&t, worker, 0) == thrd_success);
    assert(thrd_join(t, &result) == thrd_success);
    assert(result == -3);
    thrd_create(&t, worker, &five);
    thrd_join(t, &result);
    assert(result == -3);                // error: always fails
}
