//@ assert: unsafe
//@ because: the number leads from one block to the other, whose place is taken
//@ twin: free-of-a-number.c
//@ open: explicit lazy
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    int *a = malloc(4);
    long *b = malloc(8);
    unsigned long n = __VERIFIER_nondet_ulong();
    if (n != (uintptr_t)b - (uintptr_t)a)
        return 0;
    free((void *)((uintptr_t)a + n));
    long *c = malloc(8);
    assert(c != b); // error:
    return 0;
}
