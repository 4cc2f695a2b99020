//@ assert: unsafe
//@ because: the half of the number may be the address of the block, which is freed then, and whose place the other takes
//@ twin: free-of-half-a-number.c
//@ open: explicit lazy
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
        free(u.pointer);
        int *q = malloc(4);
        assert(q != p); // error:
    }
}
