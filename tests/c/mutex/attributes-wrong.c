//@ assert: unsafe
//@ because: sharing between processes is remembered
//@ twin: attributes.c

#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_mutexattr_t a;
    int value;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_getpshared(&a, &value);
    assert(value == PTHREAD_PROCESS_PRIVATE);
}
