//@ assert: safe

#include <assert.h>
#include <pthread.h>

static int f1, f2;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *first(void *arg) {
    pthread_mutex_lock(&m);
    f1 = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

static void *second(void *arg) {
    pthread_mutex_lock(&m);
    f2 = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t1, t2;
    pthread_mutex_lock(&m);
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    for (;;) {
        if (!f1) {
            pthread_cond_wait(&c, &m);
            if (f2) {
                return 0;
            }
        } else if (!f2) {
            pthread_cond_wait(&c, &m);
        } else {
            break;
        }
    }
    assert(f1 && f2);
}
