// Structures of all sizes as arguments and results: in registers, in pieces, in memory.
#include "out.h"

#define CHARS(n) \
    struct c##n { unsigned char a[n]; }; \
    static struct c##n make##n(int seed) { \
        struct c##n s; \
        for (int i = 0; i < n; i++) \
            s.a[i] = seed * 7 + i * 13; \
        return s; \
    } \
    static unsigned sum##n(int before, struct c##n s, int after) { \
        unsigned sum = before; \
        for (int i = 0; i < n; i++) \
            sum = sum * 31 + s.a[i]; \
        s.a[0] = 99; \
        return sum + after; \
    }
CHARS(1) CHARS(2) CHARS(3) CHARS(4) CHARS(5) CHARS(6) CHARS(7) CHARS(8) CHARS(9) CHARS(10)
CHARS(11) CHARS(12) CHARS(13) CHARS(15) CHARS(16) CHARS(17) CHARS(20) CHARS(24) CHARS(31) CHARS(32) CHARS(33) CHARS(64)

struct floats { float x, y; };
struct three { float x, y, z; };
struct doubles { double x, y; };
struct mixed { int i; double d; };
struct reversed { double d; int i; };
struct small { char c; float f; };
struct nested { struct small s; struct floats f; };
struct array { int a[3]; };
struct pointer { int *p; char c; };
struct longs { long long a, b; };
struct empty {};

static struct floats floats(struct floats a, struct floats b) { return (struct floats){a.x + b.y, a.y * b.x}; }
static struct three three(struct three a) { return (struct three){a.z, a.x, a.y}; }
static struct doubles doubles(double d, struct doubles a) { return (struct doubles){a.y - d, a.x + d}; }
static struct mixed mixed(struct mixed a, int i) { return (struct mixed){a.i + i, a.d / 2}; }
static struct reversed reversed(struct reversed a) { a.i++; return a; }
static struct nested nested(struct nested n) { n.s.c++; n.f.y += n.s.f; return n; }
static struct array array(struct array a) { a.a[1] = a.a[0] + a.a[2]; return a; }
static int through(struct pointer p) { return *p.p + p.c; }
static struct longs longs(struct longs a, int b, struct longs c) { return (struct longs){a.a + c.b, a.b * b + c.a}; }
static int nothing(struct empty e, int i) { (void)e; return i; }
static int many(struct longs a, struct longs b, struct longs c, struct longs d, char e) {
    return a.a + 2 * b.b + 3 * c.a + 4 * d.b + e;
}

static struct longs global = {7, 8};
static struct longs get(void) { return global; }

int main(void) {
#define TRY(n) { struct c##n s = make##n(n + 1); out(sum##n(1, s, 2)); out(s.a[0]); out(sum##n(3, make##n(n), 4)); }
    TRY(1) TRY(2) TRY(3) TRY(4) TRY(5) TRY(6) TRY(7) TRY(8) TRY(9) TRY(10) TRY(11) TRY(12) TRY(13) TRY(15) TRY(16)
    TRY(17) TRY(20) TRY(24) TRY(31) TRY(32) TRY(33) TRY(64)
    struct floats f = floats((struct floats){1.5f, 2.5f}, (struct floats){3, 4});
    out_double(f.x), out_double(f.y);
    struct three t = three((struct three){1, 2, 3});
    out_double(t.x), out_double(t.y), out_double(t.z);
    struct doubles d = doubles(0.25, (struct doubles){10, 20});
    out_double(d.x), out_double(d.y);
    struct mixed m = mixed((struct mixed){5, 7}, 6);
    out(m.i), out_double(m.d);
    struct reversed r = reversed((struct reversed){1.25, 41});
    out(r.i), out_double(r.d);
    struct nested n = nested((struct nested){{'a', 0.5f}, {1, 2}});
    out(n.s.c), out_double(n.s.f), out_double(n.f.x), out_double(n.f.y);
    struct array a = array((struct array){{1, 2, 3}});
    out(a.a[0]), out(a.a[1]), out(a.a[2]);
    int i = 40;
    out(through((struct pointer){&i, 2}));
    struct longs l = longs((struct longs){1, 2}, 3, (struct longs){4, 5});
    out(l.a), out(l.b);
    out(nothing((struct empty){}, 9));
    out(many(l, l, l, l, 'e'));
    out(get().b);
    struct longs copy = get();
    global.a = 70;
    out(copy.a), out(get().a);
    copy = l;
    l.a = -1;
    out(copy.a);
    struct c33 big = make33(3), *at = &big;
    struct c33 other = *at;
    at->a[5] = 0;
    out(other.a[5]), out(big.a[5]);
    return 0;
}
