//@ assert: unsafe
//@ open: explicit
//@ within: 5s
//@ because: --extern havoc lets functions without a body write anything to the object that they get a pointer into
//@ twin: havoc-elsewhere.c
//@ args: --extern havoc

#include <assert.h>

struct pair { char a, b[3]; };

extern void fill(char *p);

struct pair x;

int main(void) {
    fill(&x.b[1]);
    assert(x.a == 0);   // error: the pointer leads to all of the object
}
