//@ assert: safe
//@ because: the number goes up by two, so that what is written is even
//@ twin: walks-down-for-ever-wrong.c
//@ open: explicit lazy
#include <assert.h>
#include <pthread.h>

unsigned number, cells[12];

void *writer(void *arg) {
    while (1) {
        number += 2;
        cells[0] = number;
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    while (1)
        for (unsigned *p = cells + 12; p > cells;)
            assert(*--p % 2 == 0);
}
