//@ assert: safe

// What stands between the members is copied, but nobody looks at it.

#include <assert.h>
#include <stdlib.h>

struct pair {
    char c;
    int i;
};

struct pairs {
    struct pair first, second;
    long sum;
};

static struct pairs made(struct pairs from) {
    struct pairs made = from;
    made.sum = made.first.i + made.second.i;
    return made;
}

int main(void) {
    struct pairs *p = malloc(sizeof *p), *q = malloc(sizeof *q);
    struct pairs a;
    a.first.c = a.second.c = 1;
    a.first.i = a.second.i = 2;
    a.sum = 0;
    *p = a;
    *q = made(*p);
    a = *q;
    assert(a.sum == 4 && q->first.c == 1);
}
