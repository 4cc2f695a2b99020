//@ assert: safe
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    int *a = malloc(4);
    long *b = malloc(8);
    unsigned long n = __VERIFIER_nondet_ulong();
    if (n != 0)
        return 0;
    free((void *)((uintptr_t)a + n));
    long *c = malloc(8);
    assert(c != b);
    return 0;
}
