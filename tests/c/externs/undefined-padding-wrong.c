//@ assert: unsafe
//@ because: padding may differ
//@ twin: undefined-padding.c
#include <assert.h>
#include <string.h>

struct S {
    char c;
    _Alignas(2) char x;
};
extern struct S s, t;

int main(void)
{
    if (s.c == t.c && s.x == t.x)
        assert(memcmp(&s, &t, sizeof s) == 0); // error:
    return 0;
}
