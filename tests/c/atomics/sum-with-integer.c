//@ assert: safe

#include <assert.h>

_Atomic int n = -3;

int main(void) {
    n += 1;
    assert(n == -2);
    return 0;
}
