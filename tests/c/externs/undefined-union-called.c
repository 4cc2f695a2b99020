//@ assert: safe
//@ open: explicit lazy
#include <assert.h>

extern union {
    long number;
    int (*function)(void);
} u;

int main(void)
{
    int v = u.function();
    assert(v == v);
    return 0;
}
