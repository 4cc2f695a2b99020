//@ assert: unsafe
//@ because: what stands between the members is not written and may differ
//@ twin: padding-cleared.c

#include <assert.h>
#include <string.h>

struct pair {
    char c;
    int i;
};

int main(void) {
    struct pair a, b;
    a.c = b.c = 1;
    a.i = b.i = 2;
    assert(memcmp(&a, &b, sizeof a) == 0);  // error: can fail
}
