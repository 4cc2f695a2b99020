//@ assert: safe

#include <assert.h>
#include <stdio.h>

int main(void) {
    int c = getchar();
    printf("%d\n", c);
    puts("done");
    assert(c >= -1 && c <= 255);
}
