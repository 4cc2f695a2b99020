//@ assert: safe

#include <assert.h>
#include <pthread.h>

static int n;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *worker(void *arg) {
    pthread_rwlock_wrlock(&l);
    n = n + 1;
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 2);
}
