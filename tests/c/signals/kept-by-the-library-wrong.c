//@ assert: unsafe
//@ because: to ask what SIGKILL does is no error
//@ twin: kept-by-the-library.c
#include <assert.h>
#include <signal.h>

int main(void) {
    struct sigaction action;
    assert(sigaction(SIGKILL, 0, &action) == -1);  // error: it is 0
    return 0;
}
