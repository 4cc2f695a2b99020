//@ assert: unsafe
//@ because: the step of the thread that is not atomic may be lost, or undo the other
//@ twin: pointer-moved-both-ways.c
//@ by: comus product
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int a[5];
int *_Atomic p = a;

void *step(void *arg)
{
    p = p + 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, step, 0);
    atomic_fetch_add(&p, 2);
    pthread_join(t, 0);
    assert(p == a + 3); // error:
    return 0;
}
