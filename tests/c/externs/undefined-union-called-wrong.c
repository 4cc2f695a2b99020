//@ assert: unsafe
//@ because: the function may return something else
//@ twin: undefined-union-called.c
//@ open: explicit lazy
#include <assert.h>

extern union {
    long number;
    int (*function)(void);
} u;

int main(void)
{
    int v = u.function();
    assert(v == 1);
    return 0;
}
