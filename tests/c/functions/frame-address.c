//@ assert: safe

#include <assert.h>

static void *frame(void) {
    return __builtin_return_address(0) ? "called" : 0;
}

int main(void) {
    void *own = __builtin_frame_address(0);
    assert(own != 0);
    assert(frame() != 0);
}
