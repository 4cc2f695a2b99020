//@ assert: unsafe
//@ because: the exchanges compare what stands between the members too, and succeed in the end
//@ twin: increments-of-padded-struct-counted.c

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

struct pair {
    char c;
    int i;
};

_Atomic struct pair shared;

static void *worker(void *arg) {
    struct pair old = atomic_load(&shared), new;
    do {
        new = old;
        new.i++;
    } while (!atomic_compare_exchange_weak(&shared, &old, new));
    return arg;
}

int main(void) {
    pthread_t a, b;
    memset((void *)&shared, 0xff, sizeof shared);
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    struct pair end = atomic_load(&shared);
    assert(end.i == 0);  // error: is 1
}
