//@ assert: unsafe
//@ because: a long double holds 2^63 + 1, a double does not
//@ twin: long-double.c

#include <assert.h>

int main(void) {
    long double big = 9223372036854775808.0L;
    long double next = big + 1;
    assert(next == big);  // error: they differ
    assert((double)next == (double)big);
    assert(sizeof(long double) >= 12);
}
