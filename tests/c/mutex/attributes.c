//@ assert: safe

// Attributes are what was set, and nothing else can be set.

#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    pthread_mutexattr_t a;
    pthread_condattr_t c;
    pthread_attr_t t;
    int value;
    size_t size;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_getpshared(&a, &value);
    assert(value == PTHREAD_PROCESS_PRIVATE);
    assert(pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE) == 0);
    assert(pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT) == 0);
    pthread_mutexattr_getpshared(&a, &value);
    assert(value == PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_gettype(&a, &value);
    assert(value == PTHREAD_MUTEX_RECURSIVE);
    pthread_mutexattr_getprotocol(&a, &value);
    assert(value == PTHREAD_PRIO_INHERIT);
    assert(pthread_mutexattr_setpshared(&a, 77) == EINVAL);
    assert(pthread_mutexattr_setprotocol(&a, 77) == EINVAL);
    assert(pthread_mutexattr_setrobust(&a, 77) == EINVAL);
    pthread_condattr_init(&c);
    assert(pthread_condattr_setclock(&c, CLOCK_MONOTONIC) == 0);
    pthread_condattr_getpshared(&c, &value);
    assert(value == PTHREAD_PROCESS_PRIVATE);
    pthread_attr_init(&t);
    assert(pthread_attr_setstacksize(&t, 1) == EINVAL);
    assert(pthread_attr_setstacksize(&t, 1 << 20) == 0);
    pthread_attr_getstacksize(&t, &size);
    assert(size == 1 << 20);
    assert(pthread_attr_setscope(&t, PTHREAD_SCOPE_PROCESS) == ENOTSUP);
    assert(pthread_attr_setschedpolicy(&t, 77) == EINVAL);
}
