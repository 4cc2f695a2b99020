//@ assert: safe
//@ because: the clock gives any time, but always less than a second of nanoseconds
//@ open: explicit

#include <assert.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    usleep(10);
    assert(now.tv_nsec < 1000000000);
}
