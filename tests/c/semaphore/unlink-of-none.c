//@ assert: unsafe
//@ because: there may be no semaphore of that name
//@ twin: unlink-may-fail.c

#include <assert.h>
#include <semaphore.h>

int main(void) {
    assert(sem_unlink("/there-is-none") == 0);           // error: fails if there is none
}
