//@ assert: unsafe
//@ because: the comparison is turned round
//@ twin: sorted.c

#include <assert.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x < y) - (x > y);
}

int main(void) {
    int a[4] = {3, 1, 4, 1};
    qsort(a, 4, sizeof a[0], compare);
    assert(a[0] == 1 && a[1] == 1 && a[2] == 3 && a[3] == 4);  // error: always fails
    int key = 3, other = 2;
    assert(bsearch(&key, a, 4, sizeof a[0], compare) == &a[2]);
    assert(bsearch(&other, a, 4, sizeof a[0], compare) == 0);
}
