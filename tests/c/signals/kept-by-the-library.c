//@ assert: safe
// The library keeps 32 and 33 for itself; of SIGKILL one may ask, not change what it does.
#include <assert.h>
#include <errno.h>
#include <signal.h>

int main(void) {
    sigset_t set;
    sigemptyset(&set);
    assert(sigaddset(&set, 32) == -1 && errno == EINVAL);
    assert(sigdelset(&set, 33) == -1);
    assert(signal(33, SIG_IGN) == SIG_ERR);
    struct sigaction action;
    assert(sigaction(32, 0, &action) == -1);
    assert(sigaction(SIGKILL, 0, &action) == 0 && action.sa_handler == SIG_DFL);
    assert(signal(SIGKILL, SIG_IGN) == SIG_ERR);
    return 0;
}
