//@ assert: unsafe
//@ because: the difference is a floating number and does not wrap
//@ twin: difference.c

#include <assert.h>
#include <limits.h>
#include <time.h>

int main(void) {
    assert(difftime(LONG_MAX, -10) <= 0);  // error: it does not wrap
}
