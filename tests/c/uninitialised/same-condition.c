//@ assert: safe
//@ because: the variable is read only where it was written, which costs no input

#include <assert.h>

int ready = 1, n;

int main(void) {
    int x;
    if (ready) x = n + 3;
    n = 5;
    if (ready) n = x * x;
    assert(n == 9);
}
