//@ assert: safe

#include <assert.h>

int __VERIFIER_nondet_int(void);
static int one(int v) { return v + 1; }
static int two(int v) { return v + 2; }

int main(void) {
    int (*f)(int) = __VERIFIER_nondet_int() ? one : two;
    int r = f(10);
    assert(f == one ? r == 11 : r == 12);
}
