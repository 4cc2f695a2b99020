//@ assert: safe

#include <assert.h>

int main(void) {
    long double big = 9223372036854775808.0L;
    long double next = big + 1;
    assert(next != big);
    assert((double)next == (double)big);
    assert(sizeof(long double) >= 12);
}
