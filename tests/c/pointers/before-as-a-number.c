//@ assert: unsafe
//@ because: a pointer that is moved before its array as a number is moved back as a pointer
//@ twin: before-as-a-number-back.c
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
    assert(p != a || n * n != 289); // error:
    return 0;
}
