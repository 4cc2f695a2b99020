//@ assert: safe

#include <assert.h>
#include <stddef.h>

extern void __VERIFIER_nondet_memory(void *to, size_t size);

struct pair { char x, y; } p = {1, 2};

int main(void) {
    __VERIFIER_nondet_memory(&p.x, sizeof p.x);
    assert(p.y == 2);
}
