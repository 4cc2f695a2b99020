//@ assert: safe
//@ because: the first thread ends after the second, which has written to its variable

#include <assert.h>
#include <pthread.h>

static _Thread_local int own;
static _Atomic int seen;

static void *writes(void *p) {
    *(int *)p = 1;
    return 0;
}

static void *starts(void *p) {
    pthread_t second;
    pthread_create(&second, 0, writes, &own);
    pthread_join(second, 0);
    seen = own;
    return p;
}

int main(void) {
    pthread_t first;
    pthread_create(&first, 0, starts, 0);
    pthread_join(first, 0);
    assert(seen == 1);
}
