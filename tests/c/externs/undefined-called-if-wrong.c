//@ assert: unsafe
//@ because: a function of another file may lie before this one's
//@ twin: undefined-called-if.c
//@ open: explicit lazy
#include <assert.h>

extern int (*function)(void);

int own(void)
{
    return 1;
}

int main(void)
{
    if (function != 0 && function < own) {
        function();
        assert(0);
    }
    return 0;
}
