//@ assert: safe

#include <assert.h>
#include <stdio.h>

int main(void) {
    char x = 7, y = 7;
    if (fread(&x, sizeof x, 1, stdin) == 0)
        assert(x == 7);
    assert(fread(&y, 0, 5, stdin) == 0);
    assert(y == 7);
}
