//@ assert: unsafe
//@ because: C promises only that it is not 0, and glibc gives 2048
//@ twin: result-is-not-zero.c

#include <assert.h>
#include <ctype.h>

int main(void) {
    int result = (isdigit)('1');
    assert(result == 1);  // error: any number that is not 0 means yes
}
