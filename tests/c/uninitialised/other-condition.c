//@ assert: unsafe
//@ because: the variable is read where it was not written, and has any value there
//@ twin: same-condition.c

#include <assert.h>

int ready, n;

int main(void) {
    int x;
    if (ready) x = n + 3;
    n = 5;
    if (!ready) n = x;
    assert(n != 1);   // error: it may be
}
