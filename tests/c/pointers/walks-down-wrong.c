//@ assert: unsafe
//@ because: the first element may be written before it is read
//@ twin: walks-down.c
#include <assert.h>
#include <pthread.h>

int cells[2];

void *writer(void *arg) {
    cells[0] = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int sum = 0;
    for (int *p = cells + 2; p > cells;)
        sum += *--p;
    assert(sum < 1);
}
