//@ assert: unsafe
//@ because: a barrier does nothing to the values
//@ twin: barrier.c

#include <assert.h>

int x = 1;

int main(void) {
    int y = 2;
    __asm__ volatile("" ::: "memory");
    __asm__ volatile("" : "+r"(y));
    __asm__("" : : "r"(y));
    __asm__ volatile("mfence" ::: "memory");
    assert(x + y == 4);  // error: three
}
