//@ assert: safe
//@ open: explicit lazy
#include <assert.h>

static int g = 1;
extern int *elsewhere;

// No other file has the address of g, but what the pointer leads to nobody knows.
int main(void)
{
    *elsewhere = 0;
    assert(g == 1);
    return 0;
}
