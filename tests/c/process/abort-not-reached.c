//@ assert: unsafe
//@ because: without abort the program goes on
//@ twin: abort-ends-all.c

#include <assert.h>
#include <stdlib.h>

int main(void) {
    if (getenv("HOME") == 0) {
        assert(0);                       // error: always fails
    }
}
