//@ assert: safe

#include <assert.h>
#include <pthread.h>

static int x, y;
static pthread_key_t k1, k2;
static void f(void *v) { x = *(int *)v; }
static void g(void *v) { y = *(int *)v; }
static int one = 1, two = 2;

static void *worker(void *arg) {
    pthread_setspecific(k1, &one);
    pthread_setspecific(k2, &two);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&k1, f);
    pthread_key_create(&k2, g);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(x == 1 && y == 2);
}
