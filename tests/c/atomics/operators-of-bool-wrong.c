//@ assert: unsafe
//@ because: 2 is 1 as a bool
//@ twin: operators-of-bool.c

#include <assert.h>
#include <stdbool.h>

_Atomic bool b;

int main(void) {
    b |= 2;
    assert(b != 1);  // error: it is true
    int value = (b += 2);
    assert(value == 1);
    if (b -= 257) {
        b *= 0.5;
    }
    assert(b == 1);
    b--;
    assert(!b++);
    assert(!!(b ^= 4));
    b--;
    assert(b-- == 0 && b == 1);
    return 0;
}
