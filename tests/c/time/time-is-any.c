//@ assert: safe

#include <assert.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    struct timespec a, b;
    struct timeval v;
    clock_gettime(CLOCK_MONOTONIC, &a);
    usleep(10);
    clock_gettime(CLOCK_MONOTONIC, &b);
    gettimeofday(&v, 0);
    assert(v.tv_usec < 1000000);
    assert(a.tv_nsec < 1000000000);
}
