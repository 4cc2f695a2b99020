//@ assert: safe

#include <assert.h>
#include <string.h>

struct s { char c; long n; };

int main(void) {
    struct s a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    a.c = b.c = 1;
    a.n = b.n = 2;
    assert(memcmp(&a, &b, sizeof a) == 0);
}
