//@ assert: unsafe
//@ because: both may point to the same, though nobody knows to what
//@ twin: undefined-pointers-apart.c
#include <assert.h>

extern int *one, *other;
int followed;

int main(void)
{
    if (one != 0 && one == other)
        assert(0); // error:
    if (followed)
        *one = *other;
    return 0;
}
