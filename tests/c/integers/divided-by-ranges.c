//@ assert: safe
//@ because: both divisors are one number for all that the inputs may be, and what is shifted is 0
//@ twin: divided-by-ranges-wrong.c
//@ open: explicit
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int bit = __VERIFIER_nondet_int() & 1;
    int rest = 7 % ((bit == 5) + 3);
    assert(rest == 1);

    long number = __VERIFIER_nondet_int();
    long same = number / ((bit & 7) < 31);
    assert(same == number);

    unsigned char cells[4] = {1, 2, 0, 7};
    int at = __VERIFIER_nondet_int() & 3;
    at = (at ? at : 9) / 2;
    cells[at & 3] = cells[1];
    int shifted = (cells[at & 3] & 12) >> (at | cells[1]);
    assert(shifted <= 0);
}
