//@ assert: unsafe
//@ because: it may point to something
//@ twin: undefined-pointer.c
//@ open: explicit lazy
#include <assert.h>

static int g = 1;
extern int *elsewhere;

int main(void)
{
    *elsewhere = 0;
    assert(g == 0);
    return 0;
}
