//@ assert: unsafe
//@ because: the struct of the inner block is not the one that is returned
//@ twin: two-with-one-tag.c

#include <assert.h>

struct pair {
    int a, b;
};

static struct pair make(void) {
    struct pair p = {0x11111111, 2};
    return p;
}

int main(void) {
    assert(make().a == 0x11);  // error: all four bytes are returned
    struct pair {
        char a;
        int b;
    } other = {1, 2};
    assert(other.a == 1);
}
