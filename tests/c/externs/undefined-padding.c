//@ assert: safe
//@ open: explicit
//@ within: 3s
#include <assert.h>
#include <string.h>

struct S {
    char c;
    _Alignas(2) char x;
};
extern struct S s, t;

int main(void)
{
    if (s.c == t.c)
        assert(memcmp(&s, &t, 1) == 0);
    return 0;
}
