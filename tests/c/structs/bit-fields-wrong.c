//@ assert: unsafe
//@ because: a signed field of three bits holds -4 to 3
//@ twin: bit-fields.c

#include <assert.h>

struct flags {
    unsigned ready : 1;
    unsigned count : 5;
    int level : 3;
    unsigned : 0;
    unsigned long long wide : 40;
};

struct flags f;

int main(void) {
    f.ready = 1;
    f.count = 33;
    f.level = 5;
    assert(f.ready == 1 && f.count == 1);
    assert(f.level == 5);  // error: does not fit
    f.wide = 1ull << 39;
    f.wide += 1;
    assert(f.wide == (1ull << 39) + 1);
    f.count++;
    assert(f.count == 2 && f.level == -3 && f.ready == 1);
}
