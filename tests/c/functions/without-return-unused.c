//@ assert: safe

#include <assert.h>

static char sign(int x) { if (x) return 1; }

int main(void) {
    sign(0);
    assert(sign(1) == 1);
}
