//@ assert: unsafe
//@ because: another file may give it elements
//@ twin: undefined-flexible.c
//@ open: explicit lazy
#include <assert.h>

struct F {
    int n;
    int d[];
};
extern struct F s;

int main(void)
{
    if (s.n == 1)
        assert(s.d[0] == 0); // error:
    return 0;
}
