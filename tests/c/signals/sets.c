//@ assert: safe

#include <assert.h>
#include <signal.h>

int main(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    assert(sigismember(&set, SIGINT) && !sigismember(&set, SIGTERM));
    sigdelset(&set, SIGINT);
    assert(!sigismember(&set, SIGINT));
    return 0;
}
