//@ assert: safe
//@ open: lazy
//@ within: 3s

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int *local(void) {
    int x;
    int *p = &x;
    return p;
}

int main(void) {
    int *before = 0;
    while (__VERIFIER_nondet_int()) {
        int *now = local();
        if (before)
            assert(before != now);
        before = now;
    }
}
