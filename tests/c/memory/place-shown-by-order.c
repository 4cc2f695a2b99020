//@ assert: unsafe
//@ because: the new block may take the place of the freed one, which lay on the same side of the other
//@ twin: place-not-shown-by-order.c
//@ open: explicit

#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    char *first = malloc(4), *other = malloc(8);
    if (!first || !other)
        return 0;
    int before = first < other;
    free(first);
    char *again = malloc(4);
    if (!again)
        return 0;
    int k = __VERIFIER_nondet_int();
    if ((k ^ 0x5a5a) * 3 == 19088745)
        assert((again < other) != before);
}
