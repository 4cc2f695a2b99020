//@ assert: unsafe
//@ because: two names of one variable
//@ twin: aliases.c

#include <assert.h>

int value = 3;
extern int same __attribute__((alias("value")));
static int real(int x) { return x + 1; }
int nickname(int x) __attribute__((alias("real")));

int main(void) {
    same = 4;
    assert(value == 3);  // error: changed under its other name
    assert(nickname(1) == 2);
}
