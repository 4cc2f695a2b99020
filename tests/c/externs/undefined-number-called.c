//@ assert: safe
//@ open: explicit lazy
#include <assert.h>
#include <stdint.h>

extern uintptr_t function;

int main(void)
{
    ((void (*)(void))function)();
    assert(function == function);
    return 0;
}
