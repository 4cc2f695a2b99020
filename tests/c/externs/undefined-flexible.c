//@ assert: safe
//@ open: explicit
#include <assert.h>

struct F {
    int n;
    int d[];
};
extern struct F s;

int main(void)
{
    if (s.n == 1)
        assert(s.n == 1);
    return 0;
}
