//@ assert: safe

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>

int main(void) {
    sigset_t set;
    sigemptyset(&set);
    assert(pthread_sigmask(77, &set, 0) == EINVAL);
    assert(sigprocmask(-1, &set, 0) == -1 && errno == EINVAL);
    assert(sigprocmask(77, 0, 0) == 0 && pthread_sigmask(SIG_SETMASK, &set, 0) == 0);
}
