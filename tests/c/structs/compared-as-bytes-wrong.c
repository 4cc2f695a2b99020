//@ assert: unsafe
//@ because: the second field differs in its highest byte
//@ twin: compared-as-bytes.c

#include <assert.h>
#include <string.h>

struct s { char c; long n; };

int main(void) {
    struct s a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    a.c = b.c = 1;
    a.n = b.n = 2;
    ((char *)&b)[sizeof b - 1] = 1;
    assert(memcmp(&a, &b, sizeof a) == 0);  // error: can fail
}
