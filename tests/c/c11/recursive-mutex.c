//@ assert: safe

#include <assert.h>
#include <threads.h>

int main(void) {
    mtx_t m;
    mtx_init(&m, mtx_plain | mtx_recursive);
    assert(mtx_lock(&m) == thrd_success);
    assert(mtx_trylock(&m) == thrd_success);
    mtx_unlock(&m);
    mtx_unlock(&m);
}
