//@ assert: unsafe
//@ because: constructors run before main, by priority
//@ twin: constructors.c

#include <assert.h>

static int order;
__attribute__((constructor(102))) static void second(void) { order = order * 10 + 2; }
__attribute__((constructor(101))) static void first(void) { order = order * 10 + 1; }

int main(void) {
    assert(order == 0);  // error: 12
}
