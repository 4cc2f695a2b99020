//@ assert: unsafe
//@ because: a variable may have the name of a function that compilers know
//@ twin: names-of-functions.c

#include <assert.h>

int index = 3;
int round, log[4];

int main(void) {
    assert(index == 0); // error:
}
