//@ assert: safe

#include <assert.h>

static void f(void) {}
__attribute__((section(".fini_array"), used)) static void (*list)(void) = f;

int main(void) {
    assert(list == f);
}
