//@ assert: unsafe
//@ because: the program's own functions that begin and end a section are called, which take a lock that the reader does not take
//@ twin: own-begin.c
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void __VERIFIER_atomic_begin(void) { pthread_mutex_lock(&m); }
void __VERIFIER_atomic_end(void) { pthread_mutex_unlock(&m); }

void *worker(void *arg)
{
    __VERIFIER_atomic_begin();
    x = 1;
    x = 0;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert(x == 0); // error:
}
