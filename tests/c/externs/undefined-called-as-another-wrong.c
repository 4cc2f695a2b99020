//@ assert: unsafe
//@ because: the number may be the address of a function that returns
//@ twin: undefined-called-as-another.c
//@ open: explicit lazy
#include <assert.h>
#include <pthread.h>

extern long number;

static void *run(void *place)
{
    (*(int (**)(void))place)();
    assert(0);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, &number);
    pthread_join(thread, 0);
    return 0;
}
