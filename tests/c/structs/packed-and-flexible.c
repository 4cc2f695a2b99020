//@ assert: safe

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

struct __attribute__((packed)) packed { char c; int i; };
struct plain { char c; int i; };
struct flexible { int n; int tail[]; };

int main(void) {
    assert(sizeof(struct packed) == 5);
    assert(offsetof(struct plain, i) == 4);
    struct packed p[2] = {{1, 2}, {3, 4}};
    p[1].i += p[0].i;
    assert(p[1].i == 6 && p[1].c == 3);
    struct flexible *f = malloc(sizeof *f + 3 * sizeof(int));
    if (!f) return 0;
    f->n = 3;
    for (int i = 0; i < f->n; i++) f->tail[i] = i * i;
    assert(f->tail[2] == 4);
    free(f);
}
