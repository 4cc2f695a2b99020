//@ assert: safe
//@ open: explicit lazy comus product
//@ args: --std=c23

#include <assert.h>

enum Answer : bool { NO, YES };

_Atomic enum Answer answer;

int main(void) {
    answer |= 2;  // as a bool that is 1
    assert(answer == YES);
    return 0;
}
