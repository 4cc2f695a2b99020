//@ assert: safe

#include <assert.h>
#include <stdio.h>

int main(void) {
    FILE *a = fopen("a", "r"), *b = fopen("b", "r");
    if (a && b)
        assert(a != b && a != stdin && b != stdout);
    if (a)
        fclose(a);
    fclose(stdout);
}
