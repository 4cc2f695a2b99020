//@ assert: unsafe
//@ because: the input may choose the second function
//@ twin: chosen-by-input-checked.c

#include <assert.h>

int __VERIFIER_nondet_int(void);
static int one(int v) { return v + 1; }
static int two(int v) { return v + 2; }

int main(void) {
    int (*f)(int) = __VERIFIER_nondet_int() ? one : two;
    int r = f(10);
    assert(r == 11); // error: two gives 12
}
