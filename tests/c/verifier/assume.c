//@ assert: safe
//@ because: executions in which the assumption is false do not exist

#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void assume_abort_if_not(int);
extern void abort(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x >= 0 && x < 4);
    assert(x != 5);
    assume_abort_if_not(x == 2);
    assert(x == 2);
}
