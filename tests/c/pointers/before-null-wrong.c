//@ assert: unsafe
//@ because: before null is -1
//@ twin: before-null.c
//@ open: explicit
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

char *c;

int main(void)
{
    int n = __VERIFIER_nondet_int();
    c = 0;
    assert(c - 1 != (char *)-1 || n * n != 289); // error:
    return 0;
}
