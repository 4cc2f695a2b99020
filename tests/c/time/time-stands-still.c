//@ assert: unsafe
//@ because: a clock may show any time
//@ twin: time-is-any.c

#include <assert.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    usleep(10);
    assert(now.tv_nsec == 0);             // error: can fail
}
