//@ assert: safe
//@ open: explicit lazy comus product

#include <assert.h>

_Atomic signed char c = -2;
_Atomic unsigned char u = 254;

int main(void) {
    c /= 2;  // one of the two is computed wrongly, and they look the same
    u /= 2;
    assert(c == -1 && u == 127);
    return 0;
}
