//@ assert: safe
#include <assert.h>
#include <stdatomic.h>

_Atomic char one;
_Atomic long eight;
struct pair { short a, b; };
_Atomic struct pair four;

int main(void)
{
    assert(atomic_is_lock_free(&one) && atomic_is_lock_free(&eight) && atomic_is_lock_free(&four));
}
