//@ assert: unsafe
//@ because: threads that are not of real time have no priorities
//@ twin: priorities.c
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    struct sched_param priority = {50};
    assert(pthread_setschedparam(pthread_self(), SCHED_OTHER, &priority) != EINVAL);  // error: it is EINVAL
    return 0;
}
