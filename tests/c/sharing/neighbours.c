//@ assert: safe

#include <assert.h>
#include <pthread.h>

struct { char a, b; } s;

static void *worker(void *arg) {
    s.a = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    s.b = 2;
    pthread_join(t, 0);
    assert(s.a == 1 && s.b == 2);
}
