//@ assert: unsafe
//@ because: SIGINT was put into the set
//@ twin: sets.c

#include <assert.h>
#include <signal.h>

int main(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    assert(!sigismember(&set, SIGINT));  // error: it is in there
    return 0;
}
