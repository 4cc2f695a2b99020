//@ assert: unsafe
//@ because: there is no such base
//@ twin: base.c

#include <assert.h>
#include <time.h>

int main(void) {
    struct timespec t = {3, 4};
    assert(timespec_get(&t, 77) != 0);  // error: 0
}
