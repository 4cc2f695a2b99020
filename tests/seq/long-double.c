// x87 numbers: 64 bits of mantissa.
#include "out.h"

static long double power(long double base, int n) {
    long double result = 1;
    while (n-- > 0)
        result *= base;
    return result;
}

struct pair {
    long double value;
    char tag;
};

int main(void) {
    long double one = 1, three = 3, third = one / three;
    out_double((double)third);
    out_double((double)(third * three - one));
    out_double((double)((third - (double)third) * 1e18L));
    out(third == 1.0L / 3);
    out(third == (long double)(1.0 / 3));
    out(third < 0.5L);
    long double big = power(2, 63);
    out((unsigned long long)(big + 1));
    out((long long)(big - 1));
    out((unsigned long long)(big * 2 - 1));
    out((int)-power(1.5L, 10));
    out_double((double)power(1.1L, 200));
    out_double((double)-third);
    long double sum = 0;
    for (int i = 1; i < 50; i++)
        sum += 1.0L / i;
    out_double((double)sum);
    out_double((double)((sum - (double)sum) * 1e17L));
    long double from = 0xffffffffffffffffull;
    out_double((double)from);
    out((unsigned long long)from == 0xffffffffffffffffull);
    struct pair p = {third, 'x'}, q = p;
    out(q.value == third);
    out(q.tag);
    out(sizeof(long double));
    out(sizeof(struct pair));
    float f = third;
    out_double(f);
    long double list[3] = {1, 2.5L, -3};
    long double *at = list + 2;
    out_double((double)(*at + at[-1]));
    return 0;
}
