//@ assert: safe
//@ open: explicit lazy

#include <assert.h>
#include <signal.h>

#include <unistd.h>

static volatile sig_atomic_t n;

static void handler(int number) { n = 1; }

int main(void) {
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGALRM, &action, 0);
    alarm(1);
    pause();
    assert(n == 1);
    return 0;
}
