//@ assert: unsafe
//@ because: there is no such way to change the mask
//@ twin: mask-in-no-way.c

#include <assert.h>
#include <signal.h>

int main(void) {
    sigset_t set;
    sigemptyset(&set);
    assert(sigprocmask(77, &set, 0) == 0);       // error: always fails
}
