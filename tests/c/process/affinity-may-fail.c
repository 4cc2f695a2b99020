//@ assert: unsafe
//@ because: none of the processors in the set may be there
//@ twin: affinity.c

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>

int main(void) {
    cpu_set_t none = {0};
    assert(sched_setaffinity(0, sizeof none, &none) == 0);       // error: always fails
}
