// Unions: the same bytes by other types, copies, nesting.
#include "out.h"
#include <stdint.h>
#include <string.h>

union number {
    uint64_t whole;
    uint32_t half[2];
    uint16_t quarter[4];
    uint8_t byte[8];
    double real;
    struct {
        uint8_t low;
        uint32_t middle;
    } parts;
};

struct tagged {
    int tag;
    union {
        int i;
        float f;
        char text[12];
        struct {
            short x, y;
        };
    };
};

static union number shared = {.half = {1, 2}};

static union number swap(union number n) {
    union number result;
    for (int i = 0; i < 8; i++)
        result.byte[i] = n.byte[7 - i];
    return result;
}

int main(void) {
    union number n = {0x0123456789abcdefull};
    out(n.half[0]), out(n.half[1]);
    for (int i = 0; i < 4; i++)
        out(n.quarter[i]);
    n.byte[3] = 0xff;
    out(n.whole);
    n.real = 1.5;
    out(n.whole);
    n.whole += 1ull << 52;
    out_double(n.real);
    out(swap(n).whole);
    out(shared.whole);
    shared.quarter[1] ^= 0x8001;
    out(shared.half[0]);
    out(sizeof(union number));
    n.whole = 0;
    n.parts.middle = 7;
    out(n.half[1]);
    struct tagged t = {1, {.f = 1.0f}};
    out(t.i);
    t.x = -1;
    out(t.i);
    strcpy(t.text, "hello");
    out(t.text[1]), out(t.y);
    struct tagged list[2] = {t, {2, {.x = 3, .y = 4}}};
    out(list[1].i);
    out(list[0].text[4]);
    union number copy = n, *at = &copy;
    at->byte[0]++;
    out(copy.whole), out(n.whole);
    int i = 0x3f800000;
    float f;
    memcpy(&f, &i, sizeof f);
    out_double(f);
    return 0;
}
