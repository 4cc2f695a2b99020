//@ assert: unsafe
//@ because: 0, 1, 2 in this order
//@ twin: recursion-from-main.c
//@ open: comus product

#include <assert.h>
#include <stdlib.h>

static int digits, depth;

static void digit(int n) {
    depth++;
    if (n) digit(n - 1);
    digits = digits * 10 + n;
    if (--depth == 0) {
        assert(digits != 12);   // error: 012
        exit(0);
    }
}

int main(void) {
    for (;;) digit(2);
}
