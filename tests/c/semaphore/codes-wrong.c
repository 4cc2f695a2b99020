//@ assert: unsafe
//@ because: at zero trywait fails with EAGAIN
//@ twin: codes.c

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <errno.h>
#include <time.h>

int main(void) {
    sem_t s;
    int value;
    sem_init(&s, 0, 1);
    assert(sem_trywait(&s) == 0);
    errno = 0;
    assert(sem_trywait(&s) == 0);       // error: always fails
    assert(errno == EAGAIN);
    sem_post(&s);
    sem_post(&s);
    sem_getvalue(&s, &value);
    assert(value == 2);
    struct timespec soon = {0, 0};
    if (sem_timedwait(&s, &soon) != 0) {
        assert(errno == ETIMEDOUT);
    }
}
