//@ assert: safe

#include <assert.h>

typedef _Atomic short Cell;

_Atomic signed char c = -1;
static struct {
    char tag;
    Cell cell;
} record = {0, -100};
_Atomic unsigned char u = 255;
_Atomic int n = -7;

static void halve(Cell *cell) {
    *cell /= 10;
}

static void shift(void) {
    u >>= 1;
}

int main(void) {
    c >>= 1;
    assert(c == -1);
    halve(&record.cell);
    assert(record.cell == -10);
    shift();
    assert(u == 127);
    n %= 4L;
    assert(n == -3);
    assert((n *= 1.5) == -4);
    return 0;
}
