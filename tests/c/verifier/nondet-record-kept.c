//@ assert: safe
//@ open: explicit

#include <assert.h>

struct record { long a, b, c; };

extern struct record __VERIFIER_nondet_record(void);

int main(void) {
    struct record r = __VERIFIER_nondet_record();
    long last = r.a;
    for (int i = 0; i < 2; i++) {
        assert(i == 0 || r.a == last);
        last = r.a;
    }
}
