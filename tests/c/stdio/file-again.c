//@ assert: unsafe
//@ because: a file may take the place of one that was closed
//@ twin: files-differ.c

#include <assert.h>
#include <stdio.h>

int main(void) {
    FILE *a = fopen("a", "r"), *b;
    if (!a)
        return 0;
    fclose(a);
    b = fopen("b", "r");
    if (b)
        assert(a != b);  // error: the place of a is free
}
