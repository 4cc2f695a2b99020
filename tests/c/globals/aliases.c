//@ assert: safe

#include <assert.h>

int value = 3;
extern int same __attribute__((alias("value")));
static int real(int x) { return x + 1; }
int nickname(int x) __attribute__((alias("real")));

int main(void) {
    same = 4;
    assert(value == 4);
    assert(nickname(1) == 2);
}
