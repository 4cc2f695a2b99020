//@ assert: unsafe
//@ because: an index beyond its array makes the mutex after it recursive
//@ twin: kind-not-beyond-array.c

#include <assert.h>
#include <pthread.h>

static struct { int numbers[4]; pthread_mutex_t m; } s;
static volatile int at = 8;

int main(void) {
    s.numbers[at] = 1;
    pthread_mutex_lock(&s.m);
    pthread_mutex_lock(&s.m);
    assert(0);   // error: a recursive mutex can be locked twice
}
