//@ assert: unsafe
//@ because: the two names are one place
//@ twin: anonymous-members.c

#include <assert.h>

struct variant {
    int kind;
    union {
        int number;
        float real;
    };
    struct { short low, high; };
};

struct variant v;

int main(void) {
    v.number = 0x3f800000;
    assert(v.real == 0.0f);  // error: the same bits
    v.high = 3;
    v.low = 4;
    assert(v.high == 3 && v.kind == 0);
}
