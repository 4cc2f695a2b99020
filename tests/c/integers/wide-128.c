//@ assert: safe

#include <assert.h>

int main(void) {
    unsigned __int128 big = 0xffffffffffffffffu;
    big *= big;
    assert((unsigned long)(big >> 64) == 0xfffffffffffffffeu);
    assert((unsigned long)big == 1);
    __int128 negative = -(__int128)1 << 100;
    assert(negative / ((__int128)1 << 90) == -1024);
}
