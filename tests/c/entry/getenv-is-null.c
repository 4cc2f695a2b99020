//@ assert: unsafe
//@ because: the variable may be set
//@ twin: getenv-is-the-same.c

#include <assert.h>
#include <stdlib.h>

int main(void) {
    assert(!getenv("HOME"));  // error: it can be set
    return 0;
}
