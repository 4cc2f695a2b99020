//@ assert: unsafe
//@ because: a static variable keeps its value
//@ twin: statics.c

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
    assert(next() == first);  // error: one more
    assert(first == 10 && other() == 1 && other() == 2);
}
