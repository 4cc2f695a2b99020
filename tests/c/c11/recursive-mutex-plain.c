//@ assert: unsafe
//@ because: a plain mutex is busy also for its owner
//@ twin: recursive-mutex.c

#include <assert.h>
#include <threads.h>

int main(void) {
    mtx_t m;
    mtx_init(&m, mtx_plain);
    assert(mtx_lock(&m) == thrd_success);
    assert(mtx_trylock(&m) == thrd_success);  // error: always fails
    mtx_unlock(&m);
    mtx_unlock(&m);
}
