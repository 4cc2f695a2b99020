//@ assert: safe

#include <assert.h>
#include <pthread.h>

static struct { int numbers[4]; pthread_mutex_t m; } s;
static volatile int at = 9;

int main(void) {
    s.numbers[at] = 1;
    pthread_mutex_lock(&s.m);
    pthread_mutex_lock(&s.m);
    assert(0);
}
