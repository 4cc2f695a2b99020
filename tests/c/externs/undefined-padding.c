//@ assert: safe
//@ open: explicit
#include <assert.h>
#include <string.h>

struct S {
    char c;
    int x;
};
extern struct S s, t;

int main(void)
{
    if (s.c == t.c)
        assert(memcmp(&s, &t, 1) == 0);
    return 0;
}
