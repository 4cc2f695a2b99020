//@ assert: unsafe
//@ because: the right operand is not evaluated
//@ twin: short-circuit.c

#include <assert.h>

static int calls;
static int truth(int x) { calls++; return x; }

int main(void) {
    int r = truth(0) && truth(1);
    assert(r == 0 && calls == 1);
    r = truth(1) || truth(0);
    assert(r == 1);
    assert(calls == 3);  // error: only two
    r = (truth(1) && !truth(0)) || truth(5);
    assert(r == 1 && calls == 4);
    int a = 3, b = a > 2 ? a++ : a--;
    assert(a == 4 && b == 3);
    while (a > 0 && (b = truth(a)) != 2) a--;
    assert(a == 2);
    int c = (a++, a + 1);
    assert(c == 4 && (a ?: 9) == 3);
}
