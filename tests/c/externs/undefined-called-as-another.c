//@ assert: safe
//@ open: explicit lazy
#include <assert.h>
#include <pthread.h>

extern long number;

static void *run(void *place)
{
    (*(int (**)(void))place)();
    assert(place != 0);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, &number);
    pthread_join(thread, 0);
    return 0;
}
