//@ assert: unsafe
//@ because: a thread that joins itself gets an error
//@ twin: join-itself.c

#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    int result = pthread_join(pthread_self(), 0);
    assert(result == 0);  // error: it is EDEADLK, at once
}
