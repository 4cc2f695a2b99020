//@ assert: safe

#include <assert.h>
#include <stdlib.h>

extern void __VERIFIER_nondet_memory(void *to, size_t size);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    size_t size = 1 + __VERIFIER_nondet_bool();
    char *p = calloc(3, 1);
    __VERIFIER_nondet_memory(p, size);
    assert(p[2] != 7);
}
