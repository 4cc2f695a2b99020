//@ assert: safe
//@ because: products, remainders and bits of unknown numbers are as small as assumptions and conditions make them
//@ twin: products-of-bounded-wrong.c
//@ open: explicit

#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

int g;

int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x <= 3 && x >= -2);
    g = x * x;
    assert(g <= 9);
    unsigned y = __VERIFIER_nondet_uint(), z = __VERIFIER_nondet_uint();
    __VERIFIER_assume(y <= 3);
    if (z > 3) return 0;
    assert((y & z) <= 3 && (y ^ z) <= 3 && z % (y + 1) <= 3);
}
