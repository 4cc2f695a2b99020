//@ assert: safe
//@ because: what was found in a variable stays there until it is written

#include <assert.h>

int rounds = 2;

int main(void) {
    for (int i = 0; i < rounds; i++) {
        char x;
        if (i == 1) x = 3;
        char first = x;
        assert(first == x);
        if (i == 1) assert(x == 3);
    }
}
