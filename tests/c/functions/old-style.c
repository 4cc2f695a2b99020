//@ assert: safe

#include <assert.h>

int add();
static counter;

scale(x, factor)
    int x;
    double factor;
{
    return (int)(x * factor);
}

main() {
    assert(scale(10, 2.5) == 25);
    counter = add(2, 3);
    assert(counter == 5);
    int (*f)() = add;
    assert(f(20, 22) == 42);
}

int add(a, b)
    int a, b;
{
    return a + b;
}
