//@ assert: safe

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>

int main(void) {
    cpu_set_t none = {0};
    assert(sched_setaffinity(0, sizeof none, &none) <= 0);
    assert(pthread_setaffinity_np(pthread_self(), sizeof none, &none) >= 0);
}
