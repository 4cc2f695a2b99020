//@ assert: unsafe
//@ because: where the condition is false nothing is written
//@ twin: on-one-path.c

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x;
    int c = __VERIFIER_nondet_int();
    if (c > 0) x = 1;
    assert(x == 1 || x == 2);  // error: can fail
}
