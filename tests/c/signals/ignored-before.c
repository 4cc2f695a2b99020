//@ assert: unsafe
//@ because: a signal may be ignored from the start
//@ twin: ignored-now.c

#include <assert.h>
#include <signal.h>

int main(void) {
    assert(signal(SIGPIPE, SIG_IGN) == SIG_DFL);  // error: it may have been ignored
    return 0;
}
