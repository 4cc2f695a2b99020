//@ assert: safe

#include <assert.h>
#include <pthread.h>

static int x, y;
static void *f(void *arg) {
    x = 1;
    return arg;
}
static void *g(void *arg) {
    y = 1;
    return arg;
}
static void *(*const bodies[2])(void *) = {f, g};

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&t[i], 0, bodies[i], 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(t[i], 0);
    }
    assert(x == 1 && y == 1);
}
