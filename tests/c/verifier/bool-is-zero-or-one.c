//@ assert: safe

#include <assert.h>

extern int __VERIFIER_nondet_bool(void);

int main(void) {
    int x = __VERIFIER_nondet_bool();
    assert(x == 0 || x == 1);
}
