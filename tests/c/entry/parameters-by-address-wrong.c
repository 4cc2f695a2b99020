//@ assert: unsafe
//@ because: argc may be 0
//@ twin: parameters-by-address.c

#include <assert.h>

static void less(int *n) { *n = *n - 1; }

int main(int argc, char **argv) {
    less(&argc);
    assert(argc >= 0);  // error: 0 - 1
    return 0;
}
