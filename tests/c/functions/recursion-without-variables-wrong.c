//@ assert: unsafe
//@ because: the loop goes on after the inner call
//@ twin: recursion-without-variables.c
//@ open: explicit comus product

#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

static _Atomic int k;
static int done;

// Has no variables, and calls itself where main calls it: in the second block, first.
static void count(void) {
    goto head;
again:
    count();
head:
    if (k < 4) {
        k++;
        if (k == 2) goto again;
        goto head;
    }
}

static void check(void) {
    unsigned v = __VERIFIER_nondet_uint();
    assert(v * v != 2537071545u);   // error: 123456789
    exit(0);
}

int main(void) {
    for (;;) {
        count();
        done = 1;
        check();
    }
}
