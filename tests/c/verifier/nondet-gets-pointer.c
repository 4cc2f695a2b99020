//@ assert: unsafe
//@ because: a function without a body could write through the pointer it gets, whatever its name says
//@ twin: nondet-gets-null.c
//@ open: explicit lazy

#include <assert.h>

extern int nondet_fill(int *p);

int main(void) {
    int x = 1;
    nondet_fill(&x);
    assert(x == 1);   // error: x may have been written
}
