//@ assert: unsafe
//@ because: memset clears padding too
//@ twin: compared-as-bytes.c

#include <assert.h>
#include <string.h>

struct s { char c; long n; };

int main(void) {
    struct s a, b;
    memset(&a, 0, sizeof a);
    b.n = 0;
    a.c = b.c = 1;
    a.n = b.n = 2;
    assert(memcmp(&a, &b, sizeof a) == 0);  // error: can fail
}
