//@ assert: safe

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x;
    int c = __VERIFIER_nondet_int();
    if (c > 0) x = 1; else x = 2;
    assert(x == 1 || x == 2);
}
