//@ assert: unsafe
//@ because: the second thread may get the handle of the first, which was joined
//@ twin: handles-byte-by-byte-both-alive.c
//@ open: lazy comus product

#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_t a, b;

static void *nothing(void *p) { return p; }

int main(void) {
    pthread_create(&a, 0, nothing, 0);
    pthread_join(a, 0);
    pthread_create(&b, 0, nothing, 0);
    assert(memcmp(&a, &b, sizeof a) != 0);
}
