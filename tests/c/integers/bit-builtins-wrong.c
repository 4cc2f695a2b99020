//@ assert: unsafe
//@ because: the lowest bit of 40 is bit 3
//@ twin: bit-builtins.c

#include <assert.h>

int main(void) {
    unsigned x = 40;
    assert(__builtin_popcount(x) == 2);
    assert(__builtin_ctz(x) == 4);  // error: it is 3
    assert(__builtin_clz(x) == 26);
    assert(__builtin_bswap32(0x01020304) == 0x04030201);
    assert(__builtin_ffs(0) == 0 && __builtin_ffs(8) == 4);
    assert(__builtin_parity(7) == 1);
    assert(__builtin_expect(x == 40, 1));
}
