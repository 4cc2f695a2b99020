//@ assert: unsafe
//@ because: a function that ends without returning a value goes on in its caller, with any value
//@ twin: without-return-unused.c

#include <assert.h>

static char sign(int x) { if (x) return 1; }

int main(void) {
    assert(sign(0) == 1);   // error: it returns anything
}
