//@ assert: safe
#include <assert.h>
#include <unistd.h>

int main(void)
{
    unsigned left = alarm(3);
    assert(left == 0 || left > 0);
    return 0;
}
