//@ assert: safe
//@ open: explicit
//@ by: comus product
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int g = 1;

void *set(void *arg)
{
    int **q = arg;
    *q = &g;
    return 0;
}

// The first thread may use the pointer before it is set, which ends the execution.
int main(void)
{
    int **q = malloc(sizeof *q);
    pthread_t t;
    pthread_create(&t, 0, set, q);
    **q = 0;
    pthread_join(t, 0);
    assert(g == 0);
    return 0;
}
