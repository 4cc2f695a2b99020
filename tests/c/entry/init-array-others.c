//@ assert: safe
//@ open: explicit lazy

#include <assert.h>

static int n;
static void set(void) { n |= 1; }
__attribute__((section(".init_array"), used)) static void (*const list[])(void) = {set};
__attribute__((constructor)) static void other(void) { n |= 2; }

int main(void) {
    assert(n == 3);
}
