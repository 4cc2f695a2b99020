//@ assert: safe

#include <assert.h>

static int n;
static void set(void) { n = 1; }
__attribute__((section(".init_array"), used)) static void (*const list[])(void) = {set};

int main(void) {
    assert(n == 1);
}
