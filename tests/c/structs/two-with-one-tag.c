//@ assert: safe

#include <assert.h>

struct pair {
    int a, b;
};

static struct pair make(void) {
    struct pair p = {0x11111111, 2};
    return p;
}

int main(void) {
    assert(make().a == 0x11111111);
    struct pair {
        char a;
        int b;
    } other = {1, 2};
    assert(other.a == 1);
}
