// Bit-fields: signs, widths, packing, overflow, fields that cross words.
#include "out.h"
#include <string.h>

struct small {
    unsigned a : 3;
    int b : 5;
    unsigned c : 1;
    signed d : 7;
    unsigned e : 16;
};
struct crossing {
    unsigned long long a : 20;
    unsigned long long b : 30;
    unsigned long long c : 14;
    long long d : 40;
};
struct mixed {
    char first;
    int a : 9;
    short s;
    unsigned b : 31;
    _Bool flag : 1;
    unsigned : 0;
    unsigned char last : 4;
};
struct __attribute__((packed)) tight {
    unsigned a : 7;
    unsigned b : 11;
    unsigned c : 17;
    signed char d : 3;
};
union view {
    struct small fields;
    unsigned words[2];
};
enum colour { RED, GREEN, BLUE };
struct coloured {
    enum colour colour : 2;
    unsigned rest : 6;
};

static struct small given = {5, -3, 1, -60, 40000};

static struct small change(struct small s, int by) {
    s.a += by;
    s.b -= by;
    s.d ^= by;
    s.e *= by;
    return s;
}

int main(void) {
    out(sizeof(struct small));
    out(sizeof(struct crossing));
    out(sizeof(struct mixed));
    out(sizeof(struct tight));
    out(given.a), out(given.b), out(given.c), out(given.d), out(given.e);
    for (int by = -2; by < 12; by += 3) {
        struct small s = change(given, by);
        out(s.a), out(s.b), out(s.c), out(s.d), out(s.e);
    }
    struct crossing x;
    memset(&x, 0, sizeof x);
    x.a = 0xfffff;
    x.b = 0x2aaaaaaa;
    x.c = 0x1555;
    x.d = -123456789012;
    out(x.a), out(x.b), out(x.c), out(x.d);
    x.b++;
    x.d /= 7;
    x.a = x.b + x.c;
    out(x.a), out(x.b), out(x.c), out(x.d);
    struct mixed m = {'q', -200, -7, 0x7fffffff, 1, 9};
    out(m.first), out(m.a), out(m.s), out(m.b), out(m.flag), out(m.last);
    m.flag = 2;
    m.last = 31;
    m.a = m.b;
    m.b = m.a--;
    out(m.first), out(m.a), out(m.s), out(m.b), out(m.flag), out(m.last);
    struct tight t = {100, 2000, 100000, -4};
    struct tight *p = &t;
    out(p->a), out(p->b), out(p->c), out(p->d);
    p->c += p->a * p->b;
    p->d = p->d >> 1;
    out(p->a), out(p->b), out(p->c), out(p->d);
    union view v;
    v.words[0] = 0xdeadbeef, v.words[1] = 0;
    out(v.fields.a), out(v.fields.b), out(v.fields.c), out(v.fields.d), out(v.fields.e);
    v.fields.d = 5;
    out(v.words[0]);
    struct coloured c = {BLUE, 63};
    out(c.colour == BLUE);
    c.colour++;
    out(c.colour), out(c.rest);
    int value = (given.a = 12);
    out(value);
    out((given.b = 31));
    out(given.a + given.b * 2 > 0 ? given.c : given.d);
    return 0;
}
