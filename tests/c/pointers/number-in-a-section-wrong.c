//@ assert: unsafe
//@ because: the number leads from one variable to the other
//@ twin: number-in-a-section.c
//@ open: explicit lazy
#include <assert.h>
#include <stdint.h>

extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int a, b;

int main(void)
{
    unsigned long n = __VERIFIER_nondet_ulong();
    if (n != (uintptr_t)&b - (uintptr_t)&a)
        return 0;
    __VERIFIER_atomic_begin();
    *(int *)((uintptr_t)&a + n) = 5;
    __VERIFIER_atomic_end();
    assert(b == 0); // error:
    return 0;
}
