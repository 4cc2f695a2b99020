//@ assert: safe
//@ by: comus product
#include <assert.h>
#include <stdatomic.h>

int a[4];
int *_Atomic p = a;

int main(void)
{
    atomic_fetch_sub(&p, 1);
    p++;
    assert(p == a);
    return 0;
}
