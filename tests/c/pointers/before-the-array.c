//@ assert: safe
//@ because: a place before an array is below it, and as far away as it was moved
//@ twin: before-the-array-wrong.c
#include <assert.h>

int cells[10];

int main(void) {
    int *p = cells + 1;
    p -= 3;
    assert(p < cells && p - cells == -2);
    p += 4;
    assert(p == cells + 2);
}
