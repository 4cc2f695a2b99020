//@ assert: unsafe
//@ because: a new block need not be where a freed one was
//@ twin: place-of-another-size.c

#include <assert.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    free(p);
    int *q = malloc(sizeof *q);
    assert(p == q);                      // error: can fail
}
