//@ assert: unsafe
//@ because: getrandom stores bytes of any value
//@ twin: random-other.c

#include <assert.h>
#include <sys/random.h>

int main(void) {
    unsigned char c = 0;
    getrandom(&c, 1, 0);
    assert(c == 0);   // error: stored
}
