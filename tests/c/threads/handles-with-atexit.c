//@ assert: safe
//@ open: lazy
// That exit notes who calls it is no reason to give handles out only once.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int x;

void at_the_end(void) { assert(x == 2); }

void *worker(void *arg)
{
    if (pthread_equal(pthread_self(), *(pthread_t *)arg))
        x++;
    return 0;
}

int main(void)
{
    pthread_t t;
    atexit(at_the_end);
    pthread_create(&t, 0, worker, &t);
    pthread_join(t, 0);
    pthread_create(&t, 0, worker, &t);
    pthread_join(t, 0);
}
