//@ assert: safe
//@ open: explicit
#include <assert.h>

extern union {
    struct {
        char a;
        long b;
    } s;
    int i[2];
} u;

int main(void)
{
    u.i[1] = 0;
    assert(u.i[1] == 0);
    return 0;
}
