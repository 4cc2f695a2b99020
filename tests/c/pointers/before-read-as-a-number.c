//@ assert: unsafe
//@ because: what is one element before the array is its beginning again when the number is four more
//@ twin: before-read-as-a-number-back.c
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
    assert((int *)number != a || n * n != 289); // error:
    return 0;
}
