//@ assert: unsafe
//@ because: what is padding in one member is not in the other
//@ twin: undefined-union.c
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
    assert(u.i[1] == 0); // error:
    return 0;
}
