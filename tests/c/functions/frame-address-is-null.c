//@ assert: unsafe
//@ because: the address of a frame is not null
//@ twin: frame-address.c

#include <assert.h>

int main(void) {
    void *own = __builtin_frame_address(0);
    assert(own == 0);                    // error: always fails
}
