//@ assert: safe
//@ open: explicit
//@ within: 5s

#include <assert.h>

struct sample { char kind; char value[40]; };

extern struct sample next(int n);

int main(void) {
    struct sample s = next(1);
    char first = s.kind;
    s.kind = first;
    assert(s.kind == first);
}
