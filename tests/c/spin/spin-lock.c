//@ assert: safe

#include <assert.h>
#include <pthread.h>

static int n;
static pthread_spinlock_t l;

static void *worker(void *arg) {
    pthread_spin_lock(&l);
    int seen = n;
    n = seen + 1;
    pthread_spin_unlock(&l);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_spin_destroy(&l);
    assert(n == 2);
}
