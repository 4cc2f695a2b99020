//@ assert: safe
//@ open: lazy
//@ within: 2s
#include <assert.h>

int __VERIFIER_nondet_int(void);
int g1, g2;
union { int *pointer; unsigned half[2]; } u;

int main(void)
{
    u.pointer = &g1;
    u.half[1] = u.half[1];
    while (1) {
        *u.pointer = 1;
        u.pointer = __VERIFIER_nondet_int() ? &g2 : &g1;
        assert(g1 <= 1);
    }
}
