//@ assert: unsafe
//@ because: an access of 24 bytes is made with a lock on most machines
//@ twin: lock-free.c
#include <assert.h>
#include <stdatomic.h>

struct large { char bytes[24]; };
_Atomic struct large large;

int main(void)
{
    assert(atomic_is_lock_free(&large)); // error:
}
