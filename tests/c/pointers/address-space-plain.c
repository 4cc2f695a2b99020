//@ assert: safe

// Other numbers of address spaces mean nothing on x86.

#include <assert.h>

static long variable;

int main(void) {
    volatile long __attribute__((address_space(1))) *start = (void __attribute__((address_space(1))) *)&variable;
    assert(*start == 0);
}
