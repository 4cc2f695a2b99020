//@ assert: unsafe
//@ because: where a linker lets programs write to .fini_array, the function that is written there is called
//@ twin: fini-array-written.c
//@ open: explicit lazy

#include <assert.h>

static void good(void) {}
static void bad(void) { assert(0); }
__attribute__((section(".fini_array"), used)) static void (*list)(void) = good;

int main(void) {
    list = bad;
}
