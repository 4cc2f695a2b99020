//@ assert: safe
//@ open: explicit lazy
//@ args: --32
#include <assert.h>

unsigned long long __VERIFIER_nondet_ulonglong(void);
union { unsigned long long number; int *pointer; } u;
int g;

int main(void)
{
    u.number = __VERIFIER_nondet_ulonglong();
    if (u.pointer == &g)
        *u.pointer = 5;
    assert(g == 0 || g == 5);
}
