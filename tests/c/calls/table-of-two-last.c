//@ assert: safe

#include <assert.h>

static int x;
static void f(void) { x = 1; }
static void g(void) { x = 2; }
static void (*const table[2])(void) = {f, g};

int main(void) {
    for (int i = 0; i < 2; i++) {
        table[i]();
    }
    assert(x == 2);
}
