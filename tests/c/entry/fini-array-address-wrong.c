//@ assert: unsafe
//@ because: where a linker lets programs write to .fini_array, what is written there through its address is called
//@ twin: fini-array-address.c
//@ open: explicit lazy

#include <assert.h>

static void good(void) {}
static void bad(void) { assert(0); }
__attribute__((section(".fini_array"), used)) static void (*list)(void) = good;
static void (**volatile address)(void) = &list;

int main(void) {
    *address = bad;
}
