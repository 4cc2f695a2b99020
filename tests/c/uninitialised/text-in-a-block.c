//@ assert: safe
//@ open: explicit
//@ by: comus product
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char **text = malloc(sizeof *text);
    int length = strlen(*text);
    assert(length == 0);
    return 0;
}
