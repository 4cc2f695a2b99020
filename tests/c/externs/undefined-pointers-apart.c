//@ assert: safe
//@ open: explicit lazy
#include <assert.h>

extern int *one, *other;
int followed;

int main(void)
{
    if (one != 0 && one == other)
        assert(other != 0);
    if (followed)
        *one = *other;
    return 0;
}
