//@ assert: safe
#include <assert.h>
#include <pthread.h>

int before, x;
union { int *pointer; unsigned half[2]; } from, to;

void *worker(void *arg)
{
    before = 1;
    from.pointer = &x;
    int *p = to.pointer;
    if (p)
        *p = 2;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    to.half[0] = from.half[0];
    to.half[1] = from.half[1];
    assert(x != 1);
}
