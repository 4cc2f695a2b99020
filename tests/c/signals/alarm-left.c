//@ assert: unsafe
//@ because: an alarm of the program that started this one may be left, execve keeps it
//@ twin: alarm-left-any.c
#include <assert.h>
#include <unistd.h>

int main(void)
{
    unsigned left = alarm(3);
    assert(left == 0); // error:
    return 0;
}
