// Compound and string literals, statement expressions, initialisers, variable-length arrays, generic selection, builtins.
#include "out.h"
#include <alloca.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct point { int x, y; };
struct line { struct point from, to; const char *name; };

static struct line lines[] = {
    [2] = {.to = {7, 8}, .name = "last"},
    [0] = {{1, 2}, {3, 4}, "first"},
    {.from.y = 5},
};
static int sparse[10] = {[3] = 30, 40, [8] = 80};
static struct point *literal = &(struct point){11, 12};
static int *numbers = (int[]){4, 5, 6};
static _Thread_local int mine = 3;
static const double constant = 2.5;
extern int later;
int tentative;
int tentative;
int later = 66;
static int volatile careful = 1;

static int norm(struct point p) { return p.x * p.x + p.y * p.y; }
static int total(int n, int list[n]) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += list[i];
    return sum;
}
static inline int twice(int n) { return 2 * n; }
static int triangle(int n) {
    int cells[n][n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            cells[i][j] = i < j ? 0 : i + j;
    out(sizeof cells);
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 2 + total(n, cells[i]);
    return sum;
}
static _Noreturn void never(void) { for (;;); }

#define kind(x) _Generic((x), int: 1, unsigned: 2, double: 3, char *: 4, default: 5)
#define larger(a, b) ({ __typeof__(a) x = (a); __typeof__(b) y = (b); x > y ? x : y; })

int main(void) {
    out(lines[0].to.y), out(lines[1].from.y), out(lines[2].to.x), out(lines[2].name[0]), out(lines[1].name == 0);
    for (int i = 0; i < 10; i++)
        out(sparse[i]);
    out(literal->y), out(numbers[2]), out(mine++), out(mine), out_double(constant), out(later), out(tentative);
    out(norm((struct point){3, 4})), out(norm((struct point){.y = 2})), out(total(3, (int[]){1, 2, 3}));
    int i = 3;
    out(larger(i++, 2)), out(i), out(larger(1.5, 2) == 2);
    out(kind(1)), out(kind(1u)), out(kind(1.0)), out(kind("a")), out(kind(1L));
    for (int n = 1; n < 5; n++)
        out(triangle(n));
    char *space = alloca(i + 5);
    memset(space, 'z', i + 5);
    out(space[i + 4]);
    int array[] = {1, 2, 3}, copy[3];
    memcpy(copy, array, sizeof copy);
    out(copy[2]), out(sizeof array);
    struct line l = {0}, m = lines[0];
    out(l.to.x), out(m.to.y), out(memcmp(&m.from, &lines[0].from, sizeof m.from));
    out(__builtin_popcount(0xf0f0u)), out(__builtin_clz(1)), out(__builtin_ctz(8)), out(__builtin_clzll(5)), out(__builtin_ffs(20));
    out(__builtin_bswap32(0x12345678)), out(__builtin_bswap64(0x0102030405060708)), out(__builtin_bswap16(0x1234));
    out(__builtin_parity(7)), out(__builtin_popcountll(~0ull)), out(__builtin_abs(-9));
    int sum;
    out(__builtin_add_overflow(0x7fffffff, 1, &sum)), out(sum);
    out(__builtin_sub_overflow(5, 6, &sum)), out(sum);
    unsigned product;
    out(__builtin_mul_overflow(0x10000u, 0x10000u, &product)), out(product);
    int64_t wide;
    out(__builtin_mul_overflow(INT64_MAX, 2, &wide)), out(wide);
    out(__builtin_expect(i > 2, 1)), out(__builtin_constant_p(5)), out(__builtin_types_compatible_p(int, int));
    bool b = 256, c = 0.5, d = (bool)"x";
    out(b + c + d), out((b ^= 1)), out(sizeof b);
    out(careful + careful), careful = 4, out(careful);
    out(twice(twice(i)));
    if (i < 0)
        never();
    out(sizeof(struct line)), out(sizeof "abc"), out(_Alignof(double));
    int x = 1, *p = &x;
    *p = *p + (x = 5, x * 2);
    out(x > 0);
    x = i == 4 ? ({ int t = i; t * t; }) : 0;
    out(x);
    const char *s = i ? "yes" : "no";
    out(s[0]);
    _Static_assert(sizeof(int) == 4, "int has 32 bits");
    struct { int a; struct { int b, c; }; union { int d; char e; }; } anonymous = {1, {2, 3}, {4}};
    out(anonymous.c), out(anonymous.e);
    __auto_type deduced = 5LL;
    out(sizeof deduced);
    int *restrict only = &x;
    out(*only);
    struct { unsigned char r, g, b; } pixel = {1, 2, 3}, pixels[2] = {pixel, {9, 8, 7}};
    pixel = pixels[1];
    out(pixel.g), out(sizeof pixels);
    return 0;
}
