//@ assert: safe
//@ open: explicit
//@ args: --32
#include <assert.h>
#include <stdlib.h>

unsigned long long __VERIFIER_nondet_ulonglong(void);
union { unsigned long long number; int *pointer; } u;

int main(void)
{
    int *p = malloc(4);
    u.number = __VERIFIER_nondet_ulonglong();
    if (u.pointer == p) {
        free(0);
        int *q = malloc(4);
        assert(q != p);
    }
}
