//@ assert: unsafe
//@ because: another file may give it the address
//@ twin: undefined-pointer-set.c
//@ by: comus product
//@ open: explicit
#include <assert.h>

int g = 1;
extern int *elsewhere;

int main(void)
{
    assert(elsewhere != &g); // error:
    return 0;
}
