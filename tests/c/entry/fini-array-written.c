//@ assert: safe
//@ open: explicit lazy

#include <assert.h>

static void good(void) {}
static void better(void) {}
__attribute__((section(".fini_array"), used)) static void (*list)(void) = good;

int main(void) {
    list = better;
}
