//@ assert: safe

#include <assert.h>
#include <pthread.h>

static int stop;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *looks(void *arg) {
    for (;;) {
        pthread_mutex_lock(&m);
        int s = stop;
        pthread_mutex_unlock(&m);
        if (s) {
            return arg;
        }
    }
}

static void *takes(void *arg) {
    pthread_mutex_lock(&m);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, looks, 0);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        pthread_create(&u, 0, takes, 0);
        pthread_join(u, 0);
    }
    assert(0);
}
