//@ assert: unsafe
//@ because: a function without a body could call the function it gets, also where it is itself called through a pointer
//@ twin: nondet-gets-number.c
//@ open: explicit lazy

#include <assert.h>

extern int nondet_ask(void (*f)(void));

int x;
void set(void) { x = 1; }

int main(void) {
    int (*ask)(void (*)(void)) = nondet_ask;
    ask(set);
    assert(x == 0);   // error: set may have been called
}
