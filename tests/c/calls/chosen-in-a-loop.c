//@ assert: safe
//@ by: comus product
//@ open: explicit lazy
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int same(int x)
{
    return x;
}

int other(int x)
{
    return 3 - x;
}

int main(void)
{
    int a = 0;
    for (int i = __VERIFIER_nondet_int(); i < 1; i++)
        a = (a ? same : other)(2);
    assert(a <= 2);
    return 0;
}
