//@ assert: unsafe
//@ because: in whatever order they run, both do before main; the order is not known
//@ twin: init-array-others.c
//@ open: explicit lazy

#include <assert.h>

static int n;
static void set(void) { n |= 1; }
__attribute__((section(".init_array"), used)) static void (*const list[])(void) = {set};
__attribute__((constructor)) static void other(void) { n |= 2; }

int main(void) {
    assert(n == 0);
}
