//@ assert: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    struct sched_param priority = {50};
    assert(pthread_setschedparam(pthread_self(), SCHED_OTHER, &priority) == EINVAL);
    assert(pthread_setschedparam(pthread_self(), 17, &priority) == EINVAL);
    assert(pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority) != EINVAL);
    priority.sched_priority = 0;
    assert(pthread_setschedparam(pthread_self(), SCHED_OTHER, &priority) == 0);
    assert(pthread_setschedparam(pthread_self(), SCHED_RR, &priority) == EINVAL);
    assert(pthread_setschedprio(pthread_self(), 100) == EINVAL);
    return 0;
}
