//@ assert: safe
//@ open: explicit
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int a[4];
int *p = a;

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    *(long *)&p -= 4;
    p++;
    assert(p == a || n * n != 289);
    return 0;
}
