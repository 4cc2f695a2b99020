//@ assert: safe
//@ because: nothing is behind an assumption of 0
#include <assert.h>

void __VERIFIER_assume(long long);

void (*assume)(long long) = __VERIFIER_assume;

int main(void) {
    assume(0LL << 32);
    assert(0);
    return 0;
}
