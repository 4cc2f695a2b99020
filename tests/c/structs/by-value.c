//@ assert: safe

#include <assert.h>

struct small { int a, b; };
struct mixed { double d; long n; };
struct floats { float x, y, z; };
struct large { long v[5]; };
struct tiny { char c; short s; };

static struct small swap(struct small s) {
    int t = s.a;
    s.a = s.b;
    s.b = t;
    return s;
}
static struct mixed twice(struct mixed m) { return (struct mixed){m.d * 2, m.n * 2}; }
static struct floats shift(struct floats f) { f.z += 1; return f; }
static struct large fill(struct large l, long n) { l.v[4] = n; return l; }
static struct tiny next(struct tiny t) { t.c++; t.s++; return t; }

int main(void) {
    struct small s = {1, 2}, r = swap(s);
    assert(r.a == 2 && r.b == 1);
    assert(s.a == 1);
    struct mixed m = twice((struct mixed){1.5, 21});
    assert(m.d == 3.0 && m.n == 42);
    struct floats f = shift((struct floats){1, 2, 3});
    assert(f.x == 1 && f.y == 2 && f.z == 4);
    struct large l = {{1, 2, 3, 4, 5}};
    struct large filled = fill(l, 50);
    assert(l.v[4] == 5 && filled.v[4] == 50 && filled.v[0] == 1);
    struct tiny t = next((struct tiny){'a', 9});
    assert(t.c == 'b' && t.s == 10);
}
