//@ assert: safe

#include <assert.h>

int x = 1;

int main(void) {
    int y = 2;
    __asm__ volatile("" ::: "memory");
    __asm__ volatile("" : "+r"(y));
    __asm__("" : : "r"(y));
    __asm__ volatile("mfence" ::: "memory");
    assert(x + y == 3);
}
