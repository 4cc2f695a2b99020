//@ assert: unsafe
//@ open: explicit
//@ within: 5s
//@ because: each call returns any struct, also where it is returned in memory
//@ twin: record-copied.c

#include <assert.h>

struct sample { char kind; char value[40]; };

extern struct sample next(int n);

int main(void) {
    struct sample s = next(1);
    char first = s.kind;
    s = next(2);
    assert(s.kind == first);   // error: the second may differ
}
