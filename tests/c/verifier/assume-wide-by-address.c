//@ assert: unsafe
//@ because: what is assumed is not 0, although its lower half is; the function is called by an address with another type
//@ twin: assume-wide-by-address-false.c
#include <assert.h>

void __VERIFIER_assume(long long);

void (*assume)(long long) = __VERIFIER_assume;

int main(void) {
    assume(1LL << 32);
    assert(0); // error:
    return 0;
}
