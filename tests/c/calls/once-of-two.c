//@ assert: unsafe
//@ because: the second call runs the second function
//@ twin: once-of-two-checked.c

#include <assert.h>
#include <pthread.h>

static int x;
static void f(void) { x += 1; }
static void g(void) { x += 2; }
static pthread_once_t once[2] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};
static void (*const run[2])(void) = {f, g};

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_once(&once[i], run[i]);
        pthread_once(&once[i], run[i]);
    }
    assert(x == 2); // error: it is 3
}
