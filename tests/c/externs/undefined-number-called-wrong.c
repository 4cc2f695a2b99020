//@ assert: unsafe
//@ because: the function may return
//@ twin: undefined-number-called.c
//@ open: explicit lazy
#include <assert.h>
#include <stdint.h>

extern uintptr_t function;

int main(void)
{
    ((void (*)(void))function)();
    assert(0);
    return 0;
}
