//@ assert: safe

#include <assert.h>
#include <stdatomic.h>

struct pair {
    char c;
    int i;
};

_Atomic struct pair object;

int main(void) {
    struct pair expected = atomic_load(&object), desired = {1, 1};
    expected.c = 0;
    expected.i = 0;
    assert(atomic_compare_exchange_strong(&object, &expected, desired));
}
