//@ assert: safe

#include <assert.h>
#include <pthread.h>
#include <errno.h>

int main(void) {
    pthread_spinlock_t l;
    pthread_spin_init(&l, 0);
    assert(pthread_spin_trylock(&l) == 0);
    assert(pthread_spin_trylock(&l) == EBUSY);
    pthread_spin_unlock(&l);
    assert(pthread_spin_trylock(&l) == 0);
}
