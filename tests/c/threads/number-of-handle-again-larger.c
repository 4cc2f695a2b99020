//@ assert: safe
//@ because: there is no third thread
//@ open: lazy comus product

#include <assert.h>
#include <pthread.h>

static pthread_t a, b;

static void *nothing(void *p) { return p; }

int main(void) {
    pthread_create(&a, 0, nothing, 0);
    pthread_join(a, 0);
    pthread_create(&b, 0, nothing, 0);
    __sync_bool_compare_and_swap(&b, 4, 0);
    assert(b != 0);
}
