//@ assert: safe

#include <assert.h>

static __int128 x;

int main(void) {
    __int128 one = 1;
    __atomic_store_n(&x, -one, __ATOMIC_SEQ_CST);
    assert(__atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST) == -1);
    assert(__atomic_load_n(&x, __ATOMIC_SEQ_CST) == 0);
}
