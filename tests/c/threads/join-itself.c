//@ assert: safe

#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    int result = pthread_join(pthread_self(), 0);
    assert(result == EDEADLK);
}
