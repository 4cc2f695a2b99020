//@ assert: unsafe
//@ because: in the first round x may be anything
//@ twin: set-in-the-first-round.c
//! What is set in the second round is not set in the first.
#include <assert.h>

int main(void) {
    int x, sum = 0;
    for (int i = 0; i < 2; i++) {
        if (i == 1)
            x = 5;
        sum += x;
    }
    assert(sum == 10);
    return 0;
}
