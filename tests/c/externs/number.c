//@ assert: unsafe
//@ because: a function without a body that gets no pointer returns any value
//@ twin: number-bounded.c

#include <assert.h>

extern int ask(int question);

int main(void) {
    int answer = ask(3);
    assert(answer != 1);   // error: it may be
}
