//@ assert: safe

#include <assert.h>

struct p { int x, y; };
static int sum(const int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return s;
}
static int width(struct p *p) { return p->y - p->x; }

int main(void) {
    assert(sum((int[]){1, 2, 3}, 3) == 6);
    assert(width(&(struct p){.x = 2, .y = 9}) == 7);
    for (int i = 0; i < 2; i++) {
        struct p *q = &(struct p){0, i};
        q->x++;
        assert(q->x == 1);
    }
}
