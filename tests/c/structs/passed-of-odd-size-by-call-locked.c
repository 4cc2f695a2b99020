//@ assert: safe
//@ open: comus product

#include <assert.h>
#include <pthread.h>

struct triple {
    short a, b, c;
} shared;

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct triple *get(void) {
    return &shared;
}

static void check(struct triple t) {
    assert(!(t.a == 0 && t.c == 1));
}

static void *writer(void *arg) {
    pthread_mutex_lock(&mutex);
    shared.a = 1;
    shared.c = 1;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    pthread_mutex_lock(&mutex);
    check(*get());
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
}
