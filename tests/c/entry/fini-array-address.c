//@ assert: safe
//@ open: explicit lazy

#include <assert.h>

static void good(void) {}
static void better(void) {}
__attribute__((section(".fini_array"), used)) static void (*list)(void) = good;
static void (**volatile address)(void) = &list;

int main(void) {
    *address = better;
}
