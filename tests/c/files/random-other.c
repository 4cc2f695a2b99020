//@ assert: safe
//@ open: explicit

#include <assert.h>
#include <sys/random.h>

int main(void) {
    unsigned char c = 0, d = 0;
    getrandom(&c, 1, 0);
    assert(d == 0);
}
