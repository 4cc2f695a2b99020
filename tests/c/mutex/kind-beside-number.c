//@ assert: safe

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m;
static int n[5];

static void *write(void *p) { ((int *)p)[4] = 1; return 0; }

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, write, n);
    pthread_join(t, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    assert(0);
}
