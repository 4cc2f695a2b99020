//@ assert: unsafe
//@ because: __VERIFIER_nondet_memory writes as many bytes as it is told, also where the number is computed
//@ twin: memory-filled-up-to.c

#include <assert.h>
#include <stdlib.h>

extern void __VERIFIER_nondet_memory(void *to, size_t size);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    size_t size = 1 + __VERIFIER_nondet_bool();
    char *p = calloc(3, 1);
    __VERIFIER_nondet_memory(p, size);
    assert(p[1] != 7);   // error: the second byte may be written
}
