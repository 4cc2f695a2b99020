//@ assert: unsafe
//@ because: there is no such clock, so the mutex is not taken
//@ twin: clock-is-none.c

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

int main(void) {
    struct timespec now = {0, 0};
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_clocklock(&mutex, 77, &now);
    assert(pthread_mutex_trylock(&mutex) != 0);          // error: the mutex is free
}
