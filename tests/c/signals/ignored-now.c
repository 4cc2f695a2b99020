//@ assert: safe

#include <assert.h>
#include <signal.h>

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    assert(signal(SIGPIPE, SIG_DFL) == SIG_IGN);
    assert(signal(SIGKILL, SIG_IGN) == SIG_ERR);
    assert(signal(SIGINT, SIG_IGN) != SIG_ERR);
    return 0;
}
