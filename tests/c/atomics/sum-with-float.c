//@ assert: unsafe
//@ because: -3 + 1.5 is -1 as an int; clang computes -3 + 1
//@ twin: sum-with-integer.c
//@ open: explicit lazy comus product

#include <assert.h>

_Atomic int n = -3;

int main(void) {
    n += 1.5;
    assert(n == -2);
    return 0;
}
