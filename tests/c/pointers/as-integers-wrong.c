//@ assert: unsafe
//@ because: a pointer survives the way through an integer
//@ twin: as-integers.c

#include <assert.h>
#include <stdint.h>

int x = 7;

int main(void) {
    uintptr_t n = (uintptr_t)&x;
    int *p = (int *)n;
    assert(p != &x);  // error: the same
    uintptr_t tagged = n | 1;
    assert(*(int *)(tagged & ~(uintptr_t)1) == 7);
    void *nothing = 0;
    assert(!nothing && (uintptr_t)nothing == 0);
}
