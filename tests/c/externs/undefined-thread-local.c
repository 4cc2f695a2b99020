//@ assert: safe
#include <assert.h>
#include <pthread.h>

extern __thread int x;

static void *run(void *arg)
{
    assert(&x != 0);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    return 0;
}
