//@ assert: safe

#include <assert.h>
#include <pthread.h>

static int flag;

static void *worker(void *arg) {
    assert(!flag);
    flag = 1;
    return arg;
}

int main(void) {
    for (int i = 0; i < 1; i++) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
