//@ assert: safe

#include <assert.h>
#include <stdio.h>

int main(void) {
    int n = 5;
    printf("hello\n");
    assert(n != 1);
}
