//@ assert: safe
//@ because: --extern pure says that functions without a body leave memory alone
//@ args: --extern pure

#include <assert.h>

extern void look(const int *p);

int x = 1;

int main(void) {
    look(&x);
    assert(x == 1);
}
