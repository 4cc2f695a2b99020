//@ assert: unsafe
//@ because: a place before an array is below it
//@ twin: before-the-array.c
#include <assert.h>

int cells[10];

int main(void) {
    int *p = cells;
    p--;
    assert(p >= cells);
}
