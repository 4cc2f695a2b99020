//@ assert: unsafe
//@ because: a reader does not exclude readers
//@ twin: readers-together.c

#include <assert.h>
#include <pthread.h>

static int inside;
static pthread_rwlock_t l;

static void *worker(void *arg) {
    pthread_rwlock_rdlock(&l);
    __atomic_fetch_add(&inside, 1, __ATOMIC_SEQ_CST);
    int seen = __atomic_load_n(&inside, __ATOMIC_SEQ_CST);
    assert(seen == 1 );                    // error: can fail
    __atomic_fetch_sub(&inside, 1, __ATOMIC_SEQ_CST);
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_rwlock_init(&l, 0);
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_rwlock_destroy(&l);
}
