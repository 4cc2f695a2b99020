//@ assert: safe

#include <assert.h>
#include <pthread.h>

volatile int flag, data;

static void *worker(void *arg) {
    data = 1;
    flag = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    while (!flag) ;
    assert(data == 1);
    pthread_join(t, 0);
}
