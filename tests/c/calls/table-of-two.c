//@ assert: unsafe
//@ because: the second call sets x to 2
//@ twin: table-of-two-last.c

#include <assert.h>

static int x;
static void f(void) { x = 1; }
static void g(void) { x = 2; }
static void (*const table[2])(void) = {f, g};

int main(void) {
    for (int i = 0; i < 2; i++) {
        table[i]();
    }
    assert(x == 1); // error: g was called last
}
