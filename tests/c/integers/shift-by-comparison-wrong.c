//@ assert: unsafe
//@ because: the number may be the one it is compared with
//@ twin: shift-by-comparison.c

#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    if (x > 0) {
        int t = x != 1;
        assert(5 >> t == 2 && 1 << t == 2);  // error: where x is 1
    }
}
