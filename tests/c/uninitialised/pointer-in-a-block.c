//@ assert: safe
//@ open: explicit
//@ by: comus product
#include <assert.h>
#include <stdlib.h>

int g = 1;

// What was never written is the address of nothing: the execution ends there.
int main(void)
{
    int **q = malloc(sizeof *q);
    **q = 0;
    assert(g == 1);
    return 0;
}
