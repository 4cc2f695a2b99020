//@ assert: safe

#include <assert.h>
#include <stdlib.h>

int main(void) {
    int first = getenv("HOME") != 0;
    int second = getenv("HOME") != 0;
    assert(first == second);
    return 0;
}
