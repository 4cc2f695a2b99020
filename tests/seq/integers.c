// Integer arithmetic: promotions, conversions, shifts, division, wrap-around.
#include "out.h"
#include <limits.h>
#include <stdint.h>

static signed char c8[] = {0, 1, -1, 127, -128, 85};
static unsigned char u8[] = {0, 1, 255, 127, 128, 170};
static short s16[] = {0, 3, -3, SHRT_MAX, SHRT_MIN, 12345};
static unsigned short u16[] = {0, 7, 65535, 32768, 1000, 54321};
static int s32[] = {0, 11, -11, INT_MAX, INT_MIN, 123456789};
static unsigned u32[] = {0, 13, UINT_MAX, 0x80000000u, 1000000007u, 3};
static long long s64[] = {0, 17, -17, LLONG_MAX, LLONG_MIN, 1234567890123456789};
static unsigned long long u64[] = {0, 19, ULLONG_MAX, 1ull << 63, 0xdeadbeefcafebabeull, 5};

#define PAIRS(x, y) \
    for (int i = 0; i < 6; i++) \
        for (int j = 0; j < 6; j++) { \
            out(x[i] + y[j]), out(x[i] - y[j]), out(x[i] * y[j]); \
            out((x[i] & y[j]) ^ (x[i] | y[j])); \
            out((x[i] < y[j]) | (x[i] <= y[j]) << 1 | (x[i] == y[j]) << 2); \
            if (y[j] != 0 && y[j] != -1) \
                out(x[i] / y[j]), out(x[i] % y[j]); \
        }

int main(void) {
    PAIRS(c8, u8)
    PAIRS(s16, u16)
    PAIRS(c8, u32)
    PAIRS(s32, s32)
    PAIRS(s32, u32)
    PAIRS(u16, s64)
    PAIRS(u32, s64)
    PAIRS(s64, u64)
    for (int i = 0; i < 6; i++) {
        out((signed char)s32[i]), out((unsigned char)s32[i]), out((short)s32[i]), out((unsigned short)s64[i]);
        out((int)s64[i]), out((unsigned)s64[i]), out((long)u32[i]), out((long long)u32[i]), out((long long)c8[i]);
        out((unsigned long long)c8[i]), out((unsigned long)s16[i]), out((_Bool)s64[i]), out(-s32[i]), out(~u8[i]);
        for (int by = 0; by < 8; by += 3) {
            out(s32[i] << by), out(s32[i] >> by), out(u32[i] << by), out(u32[i] >> by);
            out(s64[i] << by * 8), out(s64[i] >> by * 8), out(u64[i] >> by * 9), out(c8[i] << by), out(u8[i] >> by);
        }
        signed char c = c8[i];
        c += 100, out(c), c -= 57, out(c), c *= 3, out(c), c <<= 1, out(c), c >>= 2, out(c), c ^= 0x55, out(c);
        c++, out(c), out(c--), out(-c), out(!c);
        unsigned short u = u16[i];
        u *= u, out(u), u = -u, out(u), u /= 3, out(u), u %= 100, out(u), u |= 0xf000, out(u), out(~u);
        unsigned long long r = u64[i];
        r = r << 13 | r >> 51, out(r), r *= 0x9e3779b97f4a7c15, out(r), r ^= r >> 33, out(r);
    }
    long l = LONG_MAX;
    out(l), out(sizeof l), out((unsigned long)l + 2), out(sizeof(1 ? 1 : 1u)), out(sizeof('a' + 1L));
    enum { A = -3, B, C = 10, D };
    out(A + B + C + D);
    out(1u - 2 > 0), out(-1 < 1u), out((unsigned char)-1 > 0), out(0x7fffffff + 1 < 0);
    out(5 / -3), out(-5 / 3), out(-5 % 3), out(5 % -3);
    out('\xff'), out('ab' != 0), out(L'x'), out(sizeof(long long)), out(INT_MIN / 2), out(077 + 0x1F + 0b11);
    return 0;
}
