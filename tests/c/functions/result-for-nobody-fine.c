//@ assert: unsafe
//@ because: the division by one has a result, whoever takes it
//@ twin: result-for-nobody.c

#include <assert.h>

static int by(int x) { return 2 / x; }

int main(void) {
    by(1);
    assert(0);
}
