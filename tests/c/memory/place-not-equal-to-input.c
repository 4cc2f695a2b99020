//@ assert: safe
//@ open: explicit

#include <assert.h>
#include <stdlib.h>

unsigned long __VERIFIER_nondet_ulong(void);

int main(void) {
    int *first = malloc(4);
    if (!first)
        return 0;
    unsigned long number = __VERIFIER_nondet_ulong();
    if (number != (unsigned long)first)
        return 0;
    first = 0;
    int *again = malloc(4);
    if (!again)
        return 0;
    assert(number != (unsigned long)again);
}
