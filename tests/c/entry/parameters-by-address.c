//@ assert: safe
//@ open: explicit

#include <assert.h>

static void less(int *n) { *n = *n - 1; }

int main(int argc, char **argv) {
    less(&argc);
    assert(argc >= -1);
    return 0;
}
