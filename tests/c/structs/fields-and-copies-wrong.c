//@ assert: unsafe
//@ because: the copy does not change the original
//@ twin: fields-and-copies.c

#include <assert.h>

struct point { int x, y; };
struct line { struct point from, to; char name[4]; };

struct line g = {{1, 2}, {3, 4}, "ab"};

int main(void) {
    struct line copy = g;
    copy.to.x = 30;
    assert(g.to.x == 30);  // error: still 3
    g = copy;
    assert(g.to.x == 30 && g.from.y == 2 && g.name[1] == 'b' && g.name[3] == 0);
    struct line *p = &g;
    p->from = (struct point){.y = 8};
    assert(g.from.x == 0 && g.from.y == 8);
    struct line many[20];
    for (int i = 0; i < 20; i++) many[i] = g;
    struct line others[20];
    __builtin_memcpy(others, many, sizeof many);
    assert(others[19].to.x == 30);
}
