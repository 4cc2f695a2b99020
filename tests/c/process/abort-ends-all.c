//@ assert: safe

#include <assert.h>
#include <stdlib.h>

int main(void) {
    if (getenv("HOME") == 0) {
        abort();
        assert(0);
    }
}
