// 128-bit integers, where there are any.
#include "out.h"

#ifdef __SIZEOF_INT128__
typedef __int128 wide;
typedef unsigned __int128 uwide;

static void show(uwide n) {
    out((unsigned long long)n);
    out((unsigned long long)(n >> 64));
}

static uwide power(uwide base, int n) {
    uwide result = 1;
    while (n-- > 0)
        result *= base;
    return result;
}

struct holder {
    char c;
    wide value;
};

int main(void) {
    uwide big = power(10, 38);
    wide minus = -(wide)power(3, 70);
    show(big), show(minus);
    show(big / 7), show(big % 1000007), show(minus / 12345), show(minus % 12345);
    show(big + minus), show(big - 1), show(minus * 3);
    show(big << 3), show(big >> 100), show(minus >> 5), show(minus << 60);
    show(big & minus), show(big | 1), show(big ^ ~(uwide)0), show(-big);
    out(minus < 0), out(big > power(10, 37)), out(minus == minus + 1);
    out((int)big), out((short)minus), out(!minus);
    struct holder h = {'x', minus};
    struct holder copy = h;
    show(copy.value);
    out(sizeof(struct holder));
    wide list[3] = {1, -2, (wide)1 << 100};
    wide sum = 0;
    for (int i = 0; i < 3; i++)
        sum += list[i];
    show(sum);
    out_double((double)big), out_double((double)minus);
    show((uwide)1e30), show((wide)-1e20);
    return 0;
}
#else
int main(void) {
    out(0);
    return 0;
}
#endif
