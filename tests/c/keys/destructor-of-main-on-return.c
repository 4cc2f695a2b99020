//@ assert: unsafe
//@ because: the return from main ends the program without destructors; pthread_exit in a thread runs them
//@ twin: destructor-on-exit.c

#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int runs;

static void destroy(void *value) {
    runs = runs + 1;
    if (runs < 3) {
        pthread_setspecific(key, value);
    }
}

static void *worker(void *arg) {
    pthread_setspecific(key, arg);
    pthread_exit(0);
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_setspecific(key, &runs);
    pthread_create(&t, 0, worker, &runs);
    pthread_join(t, 0);
    assert(runs == 4);                   // error: always fails
}
