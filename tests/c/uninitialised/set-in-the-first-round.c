//@ assert: safe
//! What is set in one round of a loop is still set in the next.
#include <assert.h>

int main(void) {
    int x, sum = 0;
    for (int i = 0; i < 2; i++) {
        if (i == 0)
            x = 5;
        sum += x;
    }
    assert(sum == 10);
    return 0;
}
