//@ assert: safe
//@ open: explicit
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int a[4];
int *p = a;

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    p--;
    long number = *(long *)&p;
    number += 4;
    assert((int *)number == a || n * n != 289);
    return 0;
}
