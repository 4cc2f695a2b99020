//@ assert: unsafe
//@ because: the flag may be set
//@ twin: indexed-by-a-flag.c
//@ by: comus product
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

_Bool flag;
char cells[2];
int seen;

void *set(void *arg)
{
    if (flag)
        seen = 1;
    cells[flag] = 3;
    return arg;
}

int main(void)
{
    pthread_t t;
    flag = __VERIFIER_nondet_bool();
    pthread_create(&t, 0, set, 0);
    pthread_join(t, 0);
    assert(cells[1] != 3); // error:
    return 0;
}
