//@ assert: safe
//@ open: comus product

#include <assert.h>
#include <stdlib.h>

static int digits, depth;

static void digit(int n) {
    depth++;
    if (n) digit(n - 1);
    digits = digits * 10 + n;
    if (--depth == 0) {
        assert(digits == 12);
        exit(0);
    }
}

int main(void) {
    for (;;) digit(2);
}
