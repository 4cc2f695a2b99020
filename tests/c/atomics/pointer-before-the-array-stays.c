//@ assert: unsafe
//@ because: it is moved before the array and not back
//@ twin: pointer-before-the-array.c
//@ by: comus product
#include <assert.h>
#include <stdatomic.h>

int a[4];
int *_Atomic p = a;

int main(void)
{
    atomic_fetch_sub(&p, 2);
    p++;
    assert(p == a); // error:
    return 0;
}
