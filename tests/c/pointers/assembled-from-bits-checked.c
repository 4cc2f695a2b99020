//@ assert: safe
//@ open: lazy

#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int x;
static union {
    unsigned half[2];
    int *p;
} u;

static void *worker(void *arg) {
    *u.p = 1;
    *u.p = 0;
    return arg;
}

int main(void) {
    pthread_t t;
    uint64_t p = (uint64_t)(uintptr_t)&x;
    unsigned low = 0, high = 0;
    for (int i = 0; i < 32; i++) {
        low |= (p >> i & 1) ? 1u << i : 0;
        high |= (p >> 32 >> i & 1) ? 1u << i : 0;
    }
    u.half[0] = low;
    u.half[1] = high;
    pthread_create(&t, 0, worker, 0);
    int v = x;
    assert(v == 0 || v == 1);
    pthread_join(t, 0);
}
