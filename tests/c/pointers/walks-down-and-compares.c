//@ assert: safe
//@ because: after the first step the pointer is below where it began
//@ twin: walks-down-and-compares-wrong.c
//@ open: explicit
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int cells[5];

int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n <= 4);
    int seen = 0;
    int *p = cells + n;
    for (int k = n; k > 0; k--) {
        p -= 1;
        if (p == cells + n)
            seen = 1;
    }
    assert(!seen);
}
