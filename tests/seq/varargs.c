// Functions with a variable number of arguments.
#include "out.h"
#include <stdarg.h>

struct point {
    int x, y;
};
struct big {
    long long a, b, c;
};

static long long total(int count, ...) {
    va_list args;
    long long sum = 0;
    va_start(args, count);
    for (int i = 0; i < count; i++)
        sum = sum * 3 + va_arg(args, int);
    va_end(args);
    return sum;
}

static double mixed(const char *kinds, ...) {
    va_list args, again;
    double sum = 0;
    va_start(args, kinds);
    va_copy(again, args);
    for (const char *kind = kinds; *kind; kind++) {
        switch (*kind) {
        case 'i': sum += va_arg(args, int); break;
        case 'l': sum += va_arg(args, long long); break;
        case 'd': sum += va_arg(args, double); break;
        case 'p': sum += *va_arg(args, int *); break;
        case 's': {
            struct point p = va_arg(args, struct point);
            sum += p.x * 10 + p.y;
            break;
        }
        case 'b': {
            struct big b = va_arg(args, struct big);
            sum += b.a + b.b + b.c;
            break;
        }
        case 'c': sum += (char)va_arg(args, int); break;
        }
        out_double(sum);
    }
    if (kinds[0] == 'i')
        sum += va_arg(again, int);
    va_end(again);
    va_end(args);
    return sum;
}

static int forward(int count, va_list args) {
    int sum = 0;
    while (count-- > 0)
        sum += va_arg(args, int);
    return sum;
}

static int outer(int count, ...) {
    va_list args;
    va_start(args, count);
    int sum = forward(count, args);
    va_end(args);
    return sum;
}

int main(void) {
    out(total(0));
    out(total(1, 5));
    out(total(9, 1, -2, 3, -4, 5, -6, 7, -8, 9));
    int i = 42;
    struct point p = {3, 4};
    struct big b = {100, 200, 300};
    out_double(mixed("i", 7));
    out_double(mixed("ildp", 1, 2LL, 0.5, &i));
    out_double(mixed("iiiiiiiidddddddddl", 1, 2, 3, 4, 5, 6, 7, 8, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1LL << 40));
    out_double(mixed("sid", p, 5, 2.5));
    out_double(mixed("bcs", b, 'A', p));
    out(outer(4, 10, 20, 30, 40));
    return 0;
}
