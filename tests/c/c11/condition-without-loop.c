//@ assert: unsafe
//@ because: a thread may wake without a signal
//@ twin: condition-in-loop.c

#include <assert.h>
#include <threads.h>

static int ready;
static mtx_t m;
static cnd_t c;

static int worker(void *arg) {
    mtx_lock(&m);
    if (!ready) {
        cnd_wait(&c, &m);
    }
    assert(ready);                       // error: can fail
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t t;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&t, worker, 0);
    mtx_lock(&m);
    ready = 1;
    cnd_signal(&c);
    mtx_unlock(&m);
    thrd_join(t, 0);
}
