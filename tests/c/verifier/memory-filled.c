//@ assert: unsafe
//@ because: __VERIFIER_nondet_memory writes any bytes
//@ twin: memory-filled-elsewhere.c

#include <assert.h>
#include <stddef.h>

extern void __VERIFIER_nondet_memory(void *to, size_t size);

struct pair { char x, y; } p = {1, 2};

int main(void) {
    __VERIFIER_nondet_memory(&p.x, sizeof p.x);
    assert(p.x == 1);   // error: it is any number
}
