//@ assert: safe

#include <assert.h>

static int depth(int (*f)(int), int n) { return n == 0 ? f(0) : depth(f, n - 1) + 1; }
static int zero(int v) { return v; }
static int ten(int v) { return v + 10; }

int main(void) {
    int a = depth(zero, 2), b = depth(ten, 2);
    assert(a == 2 && b == 12);
}
