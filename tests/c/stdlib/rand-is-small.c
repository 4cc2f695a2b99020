//@ assert: unsafe
//@ because: rand may be any number up to RAND_MAX
//@ twin: rand-is-not-negative.c

#include <assert.h>
#include <stdlib.h>

int main(void) {
    srand(1);
    assert(rand() < 1000);                // error: can fail
}
