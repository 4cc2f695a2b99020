//@ assert: unsafe
//@ because: the local is written each time it is given away
//@ twin: havoc-local-before.c
//@ args: --extern havoc

#include <assert.h>

extern int fill(char *p);

int main(void) {
    char x = 0;
    fill(&x);
    char first = x;
    fill(&x);
    assert(x == first);   // error: written again
}
