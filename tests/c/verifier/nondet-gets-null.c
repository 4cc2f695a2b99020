//@ assert: safe

#include <assert.h>

extern int nondet_fill(int *p);

int main(void) {
    int x = 1;
    nondet_fill(0);
    assert(x == 1);
}
