//@ assert: safe

#include <assert.h>
#include <stdlib.h>

struct pair {
    int x;
    int y;
};

int main(void) {
    struct pair *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->x = 0;
    *b = *a;
    assert(a->x == 0);
}
