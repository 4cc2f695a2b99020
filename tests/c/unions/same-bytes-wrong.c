//@ assert: unsafe
//@ because: little endian: the first byte is the lowest
//@ twin: same-bytes.c

#include <assert.h>

union word {
    unsigned number;
    unsigned char bytes[4];
    struct { unsigned short low, high; } halves;
};

union word w;

int main(void) {
    w.number = 0x01020304;
    assert(w.bytes[0] == 1);  // error: the lowest comes first
    assert(w.halves.high == 0x0102);
    w.bytes[3] = 0xff;
    assert(w.number == 0xff020304);
    union word copy = w;
    copy.halves.low = 0;
    assert(copy.number == 0xff020000 && w.number == 0xff020304);
}
