//@ assert: unsafe
//@ because: there is no such key
//@ twin: never-made-refused.c

#include <assert.h>
#include <pthread.h>

int main(void) {
    assert(pthread_setspecific(7, (void *)1) == 0);  // error: EINVAL
}
