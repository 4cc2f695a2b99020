//@ assert: safe
//@ open: explicit lazy

// Where frames lie on the stack, and what they hold, is not known here.

#include <assert.h>
#include <stdint.h>

int main(void) {
    assert(((uintptr_t)__builtin_frame_address(0) & 7) == 0);
}
