//@ assert: unsafe
//@ because: the value is that of the last statement
//@ twin: statement-expressions.c

#include <assert.h>

#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })

int main(void) {
    int calls = 0;
    int m = MAX(calls++, 3);
    assert(m == 3);
    assert(calls == 2);  // error: evaluated once
    int v = ({ int t = 4; t * t; });
    assert(v == 16);
    __auto_type copy = v;
    assert(copy == 16 && _Generic(copy, int: 1, default: 0));
}
