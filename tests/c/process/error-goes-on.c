//@ assert: unsafe
//@ because: error ends the program only with a status
//@ twin: error-ends.c

#include <assert.h>
#include <error.h>

int main(void) {
    error(0, 0, "bad");
    assert(0);  // error: reached
}
