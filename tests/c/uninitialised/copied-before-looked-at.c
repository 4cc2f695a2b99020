//@ assert: unsafe
//@ because: the member that was never written is any number, also after the structure was copied
//@ twin: copied-after-written.c

#include <assert.h>
#include <stdlib.h>

struct pair {
    int x;
    int y;
};

int main(void) {
    struct pair *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->y = 1;
    *b = *a;
    assert(a->x == 0);
}
