//@ assert: safe

#include <assert.h>

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }

typedef int (*op)(int, int);
static op table[] = {add, sub};

static int apply(op f, int a, int b) { return f(a, b); }

struct object { op method; int state; };

int main(void) {
    assert(apply(table[1], 5, 3) == 2);
    struct object o = {add, 4};
    o.state = o.method(o.state, 6);
    assert(o.state == 10);
    op chosen = o.state > 5 ? sub : add;
    assert(chosen == sub);
}
