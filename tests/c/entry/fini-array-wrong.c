//@ assert: unsafe
//@ because: what stands in section .fini_array is called at the end, the last one first
//@ twin: fini-array.c

#include <assert.h>

static int n;
static void first(void) { n = 1; }
static void second(void) {
    assert(n == 0); // error:
}
__attribute__((section(".fini_array"), used)) static void (*const list[])(void) = {second, first};

int main(void) {}
