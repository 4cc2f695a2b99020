//@ assert: unsafe
//@ because: only the first thread is joined
//@ twin: array-of-handles.c

#include <assert.h>
#include <pthread.h>

static int done[2];

static void *worker(void *arg) {
    *(int *)arg = 1;
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&t[i], 0, worker, &done[i]);
    }
    for (int i = 0; i < 1; i++) {
        pthread_join(t[i], 0);
    }
    assert(done[0] + done[1] == 2);  // error: can fail
    return 0;
}
