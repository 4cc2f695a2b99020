//@ assert: unsafe
//@ because: the pointer was written
//@ twin: pointer-in-a-block.c
//@ by: comus product
#include <assert.h>
#include <stdlib.h>

int g = 1;

int main(void)
{
    int **q = malloc(sizeof *q);
    *q = &g;
    **q = 0;
    assert(g == 1); // error:
    return 0;
}
