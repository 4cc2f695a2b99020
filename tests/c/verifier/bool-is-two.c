//@ assert: unsafe
//@ because: a bool is 0 or 1, whatever it is declared as
//@ twin: bool-is-zero-or-one.c

#include <assert.h>

extern int __VERIFIER_nondet_bool(void);

int main(void) {
    int x = __VERIFIER_nondet_bool();
    assert(x == 0 );                   // error: can fail
}
