//@ assert: safe

#include <assert.h>
#include <stdint.h>

int x = 7;

int main(void) {
    uintptr_t n = (uintptr_t)&x;
    int *p = (int *)n;
    assert(p == &x && *p == 7);
    uintptr_t tagged = n | 1;
    assert(*(int *)(tagged & ~(uintptr_t)1) == 7);
    void *nothing = 0;
    assert(!nothing && (uintptr_t)nothing == 0);
}
