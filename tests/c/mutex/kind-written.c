//@ assert: unsafe
//@ because: the program writes the kind itself, a value that is computed
//@ twin: kind-written-plain.c

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m;
volatile int kinds = 3;

static void set(pthread_mutex_t *p, int kind) { p->__data.__kind = kind; }

int main(void) {
    set(&m, kinds & 1);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    assert(0);   // error: a recursive mutex can be locked twice
}
