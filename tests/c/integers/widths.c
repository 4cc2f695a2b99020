//@ assert: safe

#include <assert.h>

unsigned char small = 250;
signed char byte = -1;
short half = -32768;
unsigned word = 4000000000u;
long long wide = -1;

int main(void) {
    small += 10;
    assert(small == 4);
    assert(byte == -1 && (unsigned char)byte == 255);
    half--;
    assert(half == 32767);
    word *= 2;
    assert(word == 3705032704u);
    assert((unsigned long long)wide >> 60 == 15);
    assert(wide >> 60 == -1);
}
