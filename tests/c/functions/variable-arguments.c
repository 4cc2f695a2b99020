//@ assert: safe

#include <assert.h>
#include <stdarg.h>

struct pair { long a, b; };
struct big { int v[8]; };

static double mix(int n, ...) {
    va_list ap, again;
    va_start(ap, n);
    va_copy(again, ap);
    int i = va_arg(ap, int);
    double d = va_arg(ap, double);
    long long l = va_arg(ap, long long);
    const char *s = va_arg(ap, const char *);
    struct pair p = va_arg(ap, struct pair);
    struct big b = va_arg(ap, struct big);
    long double ld = va_arg(ap, long double);
    int last = va_arg(ap, int);
    va_end(ap);
    assert(va_arg(again, int) == i);
    va_end(again);
    return i + d + l + s[0] + p.a + p.b + b.v[7] + (double)ld + last;
}

static int vsum(int n, va_list ap) {
    int sum = 0;
    while (n-- > 0) sum += va_arg(ap, int);
    return sum;
}
static int sum(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int r = vsum(n, ap);
    va_end(ap);
    return r;
}

int main(void) {
    assert(sum(0) == 0 && sum(3, 1, 2, 3) == 6);
    assert(sum(9, 1, 2, 3, 4, 5, 6, 7, 8, 9) == 45);
    struct pair p = {10, 20};
    struct big b = {{0, 0, 0, 0, 0, 0, 0, 100}};
    double r = mix(8, 1, 0.5, 1000LL, "a", p, b, 2.0L, 3);
    assert(r == 1 + 0.5 + 1000 + 'a' + 30 + 100 + 2 + 3);
    int (*indirect)(int, ...) = sum;
    assert(indirect(2, 40, 2) == 42);
}
