//@ assert: safe
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
        assert(own() == 1);
    }
    return 0;
}
