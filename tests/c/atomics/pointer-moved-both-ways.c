//@ assert: safe
//@ by: comus product
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int a[5];
int *_Atomic p = a;

void *step(void *arg)
{
    p++;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, step, 0);
    atomic_fetch_add(&p, 2);
    pthread_join(t, 0);
    assert(p == a + 3);
    return 0;
}
