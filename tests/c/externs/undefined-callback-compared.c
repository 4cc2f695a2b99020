//@ assert: unsafe
//@ because: another file may give it this very function
//@ twin: undefined-callback-not-compared.c
//@ open: explicit
#include <assert.h>

extern void (*callback)(void);

void fails(void)
{
    assert(0); // error:
}

int main(void)
{
    if (callback == fails)
        callback();
    return 0;
}
