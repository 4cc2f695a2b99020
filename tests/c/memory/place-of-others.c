//@ assert: unsafe
//@ because: the block may be where the other thread has freed one, and that thread still writes there
//@ twin: place-of-others-kept.c

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *writer(void *arg) {
    int *p = malloc(sizeof *p);
    free(p);
    *p = 5;
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    int *q = malloc(sizeof *q);
    *q = 1;
    assert(*q == 1);                     // error: can fail
    pthread_join(t, 0);
}
