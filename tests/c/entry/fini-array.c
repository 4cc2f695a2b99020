//@ assert: safe

#include <assert.h>

static int n;
static void first(void) { n = 1; }
static void second(void) {
    assert(n == 1);
}
__attribute__((section(".fini_array"), used)) static void (*const list[])(void) = {second, first};

int main(void) {}
