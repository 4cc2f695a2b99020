//@ assert: unsafe
//@ because: inline functions are functions
//@ twin: inline.c

#include <assert.h>

inline int twice(int x) { return 2 * x; }
static inline int thrice(int x) { return 3 * x; }
extern inline __attribute__((gnu_inline)) int four_times(int x) { return 4 * x; }
static inline __attribute__((always_inline)) int negate(int x) { return -x; }

int main(void) {
    assert(twice(3) == 5);  // error: six
    assert(thrice(3) == 9 && four_times(3) == 12 && negate(3) == -3);
}
