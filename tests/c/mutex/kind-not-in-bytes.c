//@ assert: safe

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>
static const char bytes[40] = {[17] = 1};

static void fill(pthread_mutex_t *p) { memcpy(p, bytes, sizeof *p); }

int main(void) {
    pthread_mutex_t m;
    fill(&m);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    assert(0);
}
