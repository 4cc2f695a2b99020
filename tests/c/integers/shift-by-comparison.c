//@ assert: safe
//@ because: a comparison that is decided is a number of bits to shift by
//@ twin: shift-by-comparison-wrong.c

#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    if (x > 2) {
        int t = x != 1;
        assert(5 >> t == 2 && 1 << t == 2);
    }
}
