//@ assert: safe

#include <assert.h>

static int state;
__attribute__((destructor)) static void last(void) { assert(state == 1); }

int main(void) {
    state = 1;
    return 0;
}
