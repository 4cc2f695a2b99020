// float and double: arithmetic, comparison, rounding, conversion.
#include "out.h"
#include <float.h>
#include <math.h>

static float fs[] = {0.0f, -0.0f, 1.0f, -1.5f, 0.1f, 1e10f, -1e-10f, 16777217.0f, 3.4e38f, 1e-40f};
static double ds[] = {0.0, -0.0, 1.0, -2.75, 0.1, 1e100, -1e-100, 9007199254740993.0, 1.7e308, 4.9e-324};

int main(void) {
    int n = sizeof fs / sizeof *fs;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            float a = fs[i], b = fs[j];
            double c = ds[i], d = ds[j];
            float sum = a + b, product = a * b;
            out_double(sum);
            out_double(product);
            out_double(a - b);
            if (b != 0)
                out_double(a / b);
            out_double(c + d);
            out_double(c * d);
            out_double(c - d);
            if (d != 0)
                out_double(c / d);
            out((a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a > b) << 4 | (a >= b) << 5);
            out((c < d) | (c <= d) << 1 | (c == d) << 2 | (c != d) << 3 | (c > d) << 4 | (c >= d) << 5);
        }
        out_double((float)ds[i]);
        out_double(fs[i]);
        out_double(-ds[i]);
        out(signbit(fs[i]) != 0);
        out(!ds[i]);
    }
    double nan = ds[0] / ds[0];
    out(nan != nan);
    out(nan == nan);
    out(nan < 1.0);
    out(!(nan >= 1.0));
    out(isnan(nan) != 0);
    out(isinf(ds[8] * 10) != 0);
    out((int)3.99);
    out((int)-3.99);
    out((unsigned)3000000000.5);
    out((long long)-1e15);
    out((unsigned long long)1.5e19);
    out((signed char)-100.7);
    out((unsigned char)200.2f);
    out((short)-30000.9f);
    out_double((float)16777217);
    out_double((double)9007199254740993LL);
    out_double((float)0xffffffffu);
    out_double((double)0xffffffffffffffffull);
    out_double((double)-5);
    out_double(floor(-2.5));
    out_double(ceil(-2.5));
    out_double(trunc(-2.5));
    out_double(round(-2.5));
    out_double(rint(2.5));
    out_double(fabs(-7.25));
    out_double(sqrt(2.0));
    out_double(sqrtf(2.0f));
    out_double(fmod(10.5, 3.25));
    out_double(fmod(-10.5, 3.25));
    out_double(fmin(1.0, 2.0));
    out_double(fmax(1.0, 2.0));
    out_double(copysign(3.0, -0.0));
    out_double(DBL_MAX);
    out_double(FLT_MIN);
    float x = 0;
    for (int i = 0; i < 100; i++)
        x += 0.1f;
    out_double(x);
    double y = 1;
    for (int i = 0; i < 60; i++)
        y = y * 1.1 - 0.05;
    out_double(y);
    x++;
    --y;
    x /= 3;
    out_double(x);
    out_double(y);
    out(x ? 1 : 2);
    return 0;
}
