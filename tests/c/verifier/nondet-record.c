//@ assert: unsafe
//@ because: a struct that is an input is another one each time
//@ twin: nondet-record-kept.c

#include <assert.h>

struct record { long a, b, c; };

extern struct record __VERIFIER_nondet_record(void);

int main(void) {
    long last = 0;
    for (int i = 0; i < 2; i++) {
        struct record r = __VERIFIER_nondet_record();
        assert(i == 0 || r.a == last);   // error: the second is another one
        last = r.a;
    }
}
