//@ assert: unsafe
//@ because: the second thread may write to the variable of the first before that ends
//@ twin: thread-local-of-one-that-waits.c

#include <assert.h>
#include <pthread.h>

static _Thread_local int own;
static pthread_t second;
static _Atomic int started;

static void *writes(void *p) {
    *(int *)p = 1;
    return 0;
}

static void *starts(void *p) {
    pthread_create(&second, 0, writes, &own);
    started = 1;
    return p;
}

int main(void) {
    pthread_t first;
    pthread_create(&first, 0, starts, 0);
    if (started) {
        pthread_join(second, 0);
        assert(0);
    }
}
