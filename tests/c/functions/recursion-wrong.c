//@ assert: unsafe
//@ because: fib(10) is 55
//@ twin: recursion.c

#include <assert.h>

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }

static int depth(int n) {
    int local[2] = {n, 0};
    int *p = &local[1];
    *p = n > 0 ? depth(n - 1) : 0;
    return local[0] == n ? local[1] + 1 : -1;
}

int main(void) {
    assert(fib(10) == 89);  // error: that is fib(11)
    assert(even(10) && !odd(8));
    assert(depth(20) == 21);
}
