//@ assert: safe

#include <assert.h>
#include <limits.h>
#include <time.h>

int main(void) {
    assert(difftime(LONG_MAX, LONG_MIN) > LONG_MAX);
    assert(difftime(LONG_MIN, LONG_MAX) < LONG_MIN);
    assert(difftime(3, 5) == -2);
}
