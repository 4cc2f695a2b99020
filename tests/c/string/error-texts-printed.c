//@ assert: safe

#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    int n = 5;
    printf("%s\n", strerror(2));
    fputs(strerror(1), stderr);
    assert(n == 5);
}
