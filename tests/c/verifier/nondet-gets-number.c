//@ assert: safe

#include <assert.h>

extern int nondet_ask(int n);

int x;
void set(void) { x = 1; }

int main(void) {
    int (*ask)(int) = nondet_ask;
    ask(1);
    assert(x == 0);
}
