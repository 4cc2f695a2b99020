//@ assert: safe
//@ by: comus product
//@ open: explicit lazy
#include <assert.h>

static int g = 1;
extern int *elsewhere;

int main(void)
{
    elsewhere = &g;
    *elsewhere = 0;
    assert(g == 0);
    return 0;
}
