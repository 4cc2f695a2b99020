//@ assert: safe
// A result that nobody takes is computed all the same: a division by zero ends the execution.

#include <assert.h>

static int by(int x) { return 2 / x; }

int main(void) {
    by(0);
    assert(0);
}
