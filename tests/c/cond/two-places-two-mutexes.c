//@ assert: unsafe
//@ because: each of the two waits lets one of the threads go on
//@ twin: two-places-two-mutexes-both-set.c

#include <assert.h>
#include <pthread.h>

static int f1, f2;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ca = PTHREAD_COND_INITIALIZER, cb = PTHREAD_COND_INITIALIZER;

static void *first(void *arg) {
    pthread_mutex_lock(&a);
    f1 = 1;
    pthread_cond_signal(&ca);
    pthread_mutex_unlock(&a);
    return arg;
}

static void *second(void *arg) {
    pthread_mutex_lock(&b);
    f2 = 1;
    pthread_cond_signal(&cb);
    pthread_mutex_unlock(&b);
    return arg;
}

int main(void) {
    pthread_t t1, t2;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    for (;;) {
        if (!f1) {
            pthread_cond_wait(&ca, &a);
        } else if (!f2) {
            pthread_cond_wait(&cb, &b);
        } else {
            break;
        }
    }
    assert(0); // error: reached
}
