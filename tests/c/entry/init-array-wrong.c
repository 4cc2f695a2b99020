//@ assert: unsafe
//@ because: what stands in section .init_array is called before main
//@ twin: init-array.c

#include <assert.h>

static int n;
static void set(void) { n = 1; }
__attribute__((section(".init_array"), used)) static void (*const list[])(void) = {set};

int main(void) {
    assert(n == 0); // error:
}
