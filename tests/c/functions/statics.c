//@ assert: safe

#include <assert.h>

static int next(void) {
    static int n = 10;
    return n++;
}
static int other(void) {
    static int n;
    return ++n;
}

int main(void) {
    int first = next();
    assert(next() == first + 1);
    assert(first == 10 && other() == 1 && other() == 2);
}
