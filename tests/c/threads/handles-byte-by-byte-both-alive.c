//@ assert: safe
//@ because: the first thread is not joined, so its handle is not free

#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_t a, b;

static void *nothing(void *p) { return p; }

int main(void) {
    pthread_create(&a, 0, nothing, 0);
    pthread_create(&b, 0, nothing, 0);
    assert(memcmp(&a, &b, sizeof a) != 0);
}
