//@ assert: unsafe
//@ because: what is padding in the variable is part of a member in what is passed
//@ twin: passed-as-another-struct.c

#include <assert.h>
#include <string.h>

struct padded {
    char c;
    int i;
};

struct full {
    int a, b;
};

static int first(struct full f) { return f.a; }
static int (*through)(struct full) = first;

int main(void) {
    struct padded p;
    memset(&p, 0x11, sizeof p);
    assert(first(*(struct full *)&p) == 0x11);  // error: is 0x11111111
    assert(through(*(struct full *)&p) == 0x11111111);
}
