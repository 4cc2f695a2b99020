//@ assert: safe
//@ because: of what the loops read only one element is ever written, once, with 1
//@ twin: walks-inside-walks-wrong.c
#include <assert.h>
#include <pthread.h>

int cells[6];

void *writer(void *arg) {
    cells[1] = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int sum = 0;
    for (int *p = cells; p < cells + 6; p += 3)
        for (int *q = p + 1; q < p + 3; q++)
            sum += *q;
    assert(sum < 2);
}
