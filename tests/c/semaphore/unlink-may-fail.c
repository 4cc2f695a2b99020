//@ assert: safe

#include <assert.h>
#include <semaphore.h>

int main(void) {
    int result = sem_unlink("/there-is-none");
    assert(result == 0 || result == -1);
}
