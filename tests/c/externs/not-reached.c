//@ assert: safe
//@ because: a call that no execution reaches matters to nobody

#include <assert.h>

extern void fill(int *p);

int x;

int main(void) {
    if (x != 0) fill(&x);
    assert(x == 0);
}
