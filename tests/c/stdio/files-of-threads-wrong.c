//@ assert: unsafe
//@ because: a flag for pthread_once may be one for each thread, so that each opens a file of its own
//@ twin: files-of-threads.c

#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static _Thread_local pthread_once_t once;
static _Thread_local FILE *mine;
static FILE *files[2];

static void open_it(void) {
    mine = fopen("/dev/null", "r");
}

static void *worker(void *arg) {
    pthread_once(&once, open_it);
    files[(long)arg] = mine;
    return 0;
}

int main(void) {
    pthread_t t, s;
    pthread_create(&t, 0, worker, (void *)0);
    pthread_create(&s, 0, worker, (void *)1);
    pthread_join(t, 0);
    pthread_join(s, 0);
    assert(!files[0] || !files[1] || files[0] == files[1]);
}
