//@ assert: unsafe
//@ because: 3 is below 4
//@ twin: assume.c

#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x >= 0 && x < 4);
    assert(x != 3);              // error: can fail
}
