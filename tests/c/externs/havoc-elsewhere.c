//@ assert: safe
//@ open: explicit
//@ within: 5s
//@ args: --extern havoc

#include <assert.h>

struct pair { char a, b[3]; };

extern void fill(char *p);

struct pair x, y;

int main(void) {
    fill(&x.b[1]);
    assert(y.a == 0);
}
