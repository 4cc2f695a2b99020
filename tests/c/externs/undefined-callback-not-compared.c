//@ assert: safe
//@ open: explicit
#include <assert.h>

extern void (*callback)(void);

void fails(void)
{
    assert(0);
}

int main(void)
{
    if (callback == fails && callback != fails)
        callback();
    return 0;
}
